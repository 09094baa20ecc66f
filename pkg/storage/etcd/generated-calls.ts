/** The rare calls, whose messages are left to the codec that the `etcd3` package generates: 64-bit numbers are strings in them. */
import type { MethodDefinition } from '@grpc/grpc-js';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import type { Unary } from './grpc/unary.ts';

export type GeneratedAnswer = Readonly<Record<string, unknown>>;
export type GeneratedMethod = (request: object) => Unary<GeneratedAnswer>;

export interface GeneratedMethods {
  readonly authenticate: GeneratedMethod;
  readonly status: GeneratedMethod;
  readonly alarm: GeneratedMethod;
}

/** Connects to nobody: the package makes its clients, and with them the definitions, only for a host. */
export async function loadGeneratedMethods(host: string): Promise<GeneratedMethods> {
  const pool = new ConnectionPool({ hosts: [host] });
  const find = async (service: 'Auth' | 'Maintenance', name: string): Promise<GeneratedMethod> => {
    const generated: unknown = await pool.withConnection(service, ({ client }) => client.constructor);
    return toMethod(generated, name);
  };
  try {
    return {
      authenticate: await find('Auth', 'Authenticate'),
      status: await find('Maintenance', 'Status'),
      alarm: await find('Maintenance', 'Alarm'),
    };
  } finally {
    pool.close();
  }
}

function toMethod(client: unknown, name: string): GeneratedMethod {
  if (typeof client !== 'function' || !('service' in client)) throw new Error('the etcd3 package has other clients');
  const definition = (client.service as Readonly<Record<string, MethodDefinition<object, object> | undefined>>)[name];
  if (definition === undefined) throw new Error(`the etcd3 package has no method ${name}`);
  const { path, requestSerialize, responseDeserialize } = definition;
  return (request) => ({ path, message: requestSerialize(request), decode: (bytes) => ({ ...responseDeserialize(bytes) }) });
}
