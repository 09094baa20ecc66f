/** The ways to the members of an etcd, over connections of our own. */
import { StorageError } from '../errors.ts';
import { Channel } from './grpc/channel.ts';
import { parseEndpoint } from './grpc/endpoint.ts';
import { Members } from './members.ts';
import type { EtcdBackendOptions } from './options.ts';

export const DEFAULT_CALL_TIMEOUT_MS = 10_000;

/** Connects to nobody yet. `streamWindowBytes`: as of a connection. Throws `StorageError` Unreachable when one of them has no URL. */
export function connectMembers(options: EtcdBackendOptions, streamWindowBytes?: number): Members {
  const { servers, tls, callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS, keepaliveMs = 10_000, keepaliveTimeoutMs = 5_000 } = options;
  const ways = servers.map((server) => {
    const endpoint = parseEndpoint(server, tls);
    if (endpoint === undefined) throw new StorageError('Unreachable', `${server}: it is no http:// or https:// URL`);
    return { server, channel: new Channel({ endpoint, callTimeoutMs, keepaliveMs, keepaliveTimeoutMs, streamWindowBytes }) };
  });
  return new Members(ways, callTimeoutMs);
}
