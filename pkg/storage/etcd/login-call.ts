/** The login call, with the generated codec of the `etcd3` package. A separate module, loaded on demand. */
import type { MethodDefinition } from '@grpc/grpc-js';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import type { UnaryCall } from './transport.ts';

/** Does not connect. The package needs a host to create its clients, which hold the method definitions. */
export async function createLoginCall(host: string, name: string, password: string): Promise<UnaryCall<string | undefined>> {
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
  if (typeof client !== 'function' || !('service' in client)) throw new Error('the clients of the etcd3 package have an unexpected form');
  const definition = (client.service as Readonly<Record<string, MethodDefinition<object, object> | undefined>>)[name];
  if (definition === undefined) throw new Error(`the etcd3 package has no method ${name}`);
  return definition;
}
