/** The objects that tokens of ServiceAccounts depend on. Kinds that are not served have no objects. */
import { notFound, StatusError } from '../apimachinery/status/status-error.ts';
import { objectKey } from './keys.ts';
import type { ObjectName } from './object-store.ts';
import type { Registry } from './registry.ts';

type TokenResource = 'serviceaccounts' | 'secrets' | 'pods' | 'nodes';

export interface CachedTokenObject {
  readonly uid: string;
  /** Milliseconds since the epoch. Absent: it is not being deleted. */
  readonly deletedAt?: number;
}

/** From the watch cache. Undefined: there is none. Throws ServiceUnavailable while the cache is not filled. */
export function findTokenObject(registry: Registry, resource: TokenResource, name: ObjectName): CachedTokenObject | undefined {
  const served = registry.find(resource, '');
  if (served === undefined) return undefined;
  const found = served.cache.get(objectKey(served.store.definition, name));
  if (found === undefined) {
    const { notReady } = registry;
    if (notReady === undefined) return undefined;
    throw new StatusError('ServiceUnavailable', `tokens cannot be checked yet: ${notReady}`, { details: { retryAfterSeconds: 1 } });
  }
  const { uid, itemBytes } = found;
  return itemBytes.includes(DELETION) ? { uid, ...deletionOf(itemBytes) } : { uid };
}

const DELETION = '"deletionTimestamp"';

function deletionOf(json: Buffer): { readonly deletedAt?: number } {
  const { metadata = {} } = JSON.parse(json.toString('utf8')) as { readonly metadata?: { readonly deletionTimestamp?: string } };
  return metadata.deletionTimestamp === undefined ? {} : { deletedAt: Date.parse(metadata.deletionTimestamp) };
}

/** Of the current object. Throws NotFound. */
export async function uidOfTokenObject(
  registry: Registry,
  resource: TokenResource,
  name: ObjectName,
  signal: AbortSignal,
): Promise<string> {
  const served = registry.find(resource, '');
  if (served === undefined) throw notFound({ group: '', resource }, name.name);
  const { json } = await served.store.get(name, { at: 'newest' }, signal);
  const { metadata } = JSON.parse(Buffer.concat(json).toString('utf8')) as { readonly metadata: { readonly uid: string } };
  return metadata.uid;
}
