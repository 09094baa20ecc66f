/** The service definitions that the `etcd3` package generates, for whoever plays etcd. */
import type { MethodDefinition } from '@grpc/grpc-js';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';

type Service = 'Auth' | 'KV' | 'Watch' | 'Maintenance';
export type EtcdMethods = Readonly<Record<string, MethodDefinition<object, object>>>;

/** Connects to nobody: the package makes its clients, and with them the definitions, only for a host. */
export async function etcdService(name: Service): Promise<EtcdMethods> {
  const pool = new ConnectionPool({ hosts: ['http://127.0.0.1:1'] });
  try {
    const generated: unknown = await pool.withConnection(name, ({ client }) => client.constructor);
    if (typeof generated !== 'function' || !('service' in generated)) throw new Error(`the etcd3 package has no service ${name}`);
    return generated.service as EtcdMethods;
  } finally {
    pool.close();
  }
}
