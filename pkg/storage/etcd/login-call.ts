/**
 * The call that exchanges a name and a password for a token, with the messages that the `etcd3` package generates. A
 * module of its own, loaded where somebody logs in.
 */
import type { MethodDefinition } from '@grpc/grpc-js';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import type { UnaryCall } from './transport.ts';

/** The token, unless etcd gives none. */
export type LoginCall = UnaryCall<string | undefined>;

/** Connects to nobody: the package makes its clients, and with them the definitions, only for a host. */
export async function createLoginCall(host: string, name: string, password: string): Promise<LoginCall> {
  const pool = new ConnectionPool({ hosts: [host] });
  try {
    const generated: unknown = await pool.withConnection('Auth', ({ client }) => client.constructor);
    const { path, requestSerialize, responseDeserialize } = methodOf(generated, 'Authenticate');
    const decode = (bytes: Buffer): string | undefined => {
      const answer = responseDeserialize(bytes);
      return 'token' in answer && typeof answer.token === 'string' ? answer.token : undefined;
    };
    return { path, message: requestSerialize({ name, password }), decode };
  } finally {
    pool.close();
  }
}

function methodOf(client: unknown, name: string): MethodDefinition<object, object> {
  if (typeof client !== 'function' || !('service' in client)) throw new Error('the etcd3 package has other clients');
  const definition = (client.service as Readonly<Record<string, MethodDefinition<object, object> | undefined>>)[name];
  if (definition === undefined) throw new Error(`the etcd3 package has no method ${name}`);
  return definition;
}
