/** Options of a list or of a deletecollection, from the query. */
import type { Features } from '../../apimachinery/features/features.ts';
import { parseFieldSelector } from '../../apimachinery/selectors/field-selector.ts';
import { parseLabelSelector } from '../../apimachinery/selectors/label-selector.ts';
import { parseShardSelector } from '../../apimachinery/selectors/shard-selector.ts';
import { forbidden, notSupported } from '../../apimachinery/status/causes.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { badRequest, type StatusCause } from '../../apimachinery/status/status-error.ts';
import type { Kind, Strategy } from '../../apis/kind.ts';
import type { ListQuery, ReadAt } from '../../registry/object-store.ts';
import type { Selection } from '../../watchcache/watch-cache.ts';
import { booleanOf, integerOf, type Query } from '../filters/query.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';
import { parseResourceVersion, throwOptionCauses } from './option-checks.ts';

export interface ListOptions extends ListQuery {
  /** Ends the request after this time, in milliseconds. */
  readonly timeoutMs?: number;
}

const MATCHES = ['Exact', 'NotOlderThan'];

/**
 * `inPages`: read page by page even without a limit, as a deletecollection does, at exactly the given resourceVersion.
 */
export function parseListOptions(query: Query, kind: Kind, info: ResourceRequest, features: Features, inPages = false): ListOptions {
  const timeoutSeconds = integerOf(query, 'timeoutSeconds');
  const limit = Math.max(integerOf(query, 'limit') ?? 0, 0);
  const selectors = parseSelectors(query, features);
  const resourceVersion = query.first('resourceVersion') ?? '';
  const match = query.first('resourceVersionMatch') ?? '';
  const continueToken = query.first('continue') ?? '';
  throwOptionCauses('ListOptions', listCauses({ resourceVersion, match, continueToken, query }));
  const selection = toSelection(selectors, kind, info);
  const fixesRevision = (inPages || limit > 0) && !selectsOneObject(selection, kind);
  if (continueToken !== '' && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const at: ReadAt = continueToken === '' ? readAt(resourceVersion, match, fixesRevision) : { at: 'newest' };
  return {
    selection,
    at,
    limit,
    ...(continueToken === '' ? {} : { continueToken }),
    ...(timeoutSeconds === undefined || timeoutSeconds <= 0 ? {} : { timeoutMs: timeoutSeconds * 1000 }),
  };
}

interface ListRules {
  readonly resourceVersion: string;
  readonly match: string;
  readonly continueToken: string;
  readonly query: Query;
}

/** Combinations of options that a list does not allow. */
export function listCauses({ resourceVersion, match, continueToken, query }: ListRules): StatusCause[] {
  const causes: StatusCause[] = [];
  if (match !== '') {
    if (resourceVersion === '')
      causes.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (continueToken !== '') causes.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'));
    if (!MATCHES.includes(match)) causes.push(notSupported('resourceVersionMatch', match, [...MATCHES, '']));
    if (match === 'Exact' && resourceVersion === '0') {
      causes.push(forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (booleanOf(query, 'sendInitialEvents') !== undefined) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return causes;
}

function readAt(resourceVersion: string, match: string, fixesRevision: boolean): ReadAt {
  if (resourceVersion === '') return { at: 'newest' };
  const revision = parseResourceVersion(resourceVersion);
  if (revision === 0) return { at: 'any' };
  if (match === 'Exact' || (match === '' && fixesRevision)) return { at: 'exactly', revision };
  return { at: 'notOlderThan', revision };
}

/** For GET of one object, which ignores `resourceVersionMatch`. */
export function parseGetOptions(query: Query): ReadAt {
  const resourceVersion = query.first('resourceVersion') ?? '';
  if (resourceVersion === '') return NEWEST;
  const revision = parseResourceVersion(resourceVersion);
  return revision === 0 ? ANY : { at: 'notOlderThan', revision };
}

const NEWEST: ReadAt = { at: 'newest' };
const ANY: ReadAt = { at: 'any' };

type Selectors = Pick<Selection, 'labels' | 'fields' | 'shard'>;

/** Throws BadRequest for a malformed selector. Empty ones are absent. */
export function parseSelectors(query: Query, features: Features): Selectors {
  const labelText = query.first('labelSelector') ?? '';
  const fieldText = query.first('fieldSelector') ?? '';
  const shardText = shardSelectorOf(query, features);
  return {
    ...(labelText === '' ? {} : { labels: parseLabelSelector(labelText) }),
    ...(fieldText === '' ? {} : { fields: parseFieldSelector(fieldText) }),
    ...(shardText === '' ? {} : { shard: parseShardSelector(shardText) }),
  };
}

/** Throws BadRequest for a field that the kind does not support. */
export function toSelection({ labels, fields, shard }: Selectors, kind: Kind, info: ResourceRequest): Selection {
  for (const { field, operator, value } of fields?.requirements ?? []) {
    if (!isSelectable(field, kind)) throw badRequest(unknownField(field, kind));
    if (info.name !== '' && field === 'metadata.name' && (operator !== '=' || value !== info.name)) throw otherName();
  }
  // A field selector on the path of one object must repeat its name.
  if (info.name !== '' && fields !== undefined && !fields.requirements.some(({ field }) => field === 'metadata.name')) throw otherName();
  return {
    ...(info.namespace === '' ? {} : { namespace: info.namespace }),
    ...(info.name === '' ? {} : { name: info.name }),
    ...(labels === undefined || labels.requirements.length === 0 ? {} : { labels }),
    ...(fields === undefined || fields.requirements.length === 0 ? {} : { fields }),
    ...(shard && { shard }),
  };
}

/** Ignored while its feature gate is off, like an unknown parameter. */
const shardSelectorOf = (query: Query, features: Features): string =>
  features.isEnabled('ShardedListAndWatch') ? (query.first('shardSelector') ?? '') : '';

/** As in Kubernetes, a limit does not fix the revision of such a list. */
const selectsOneObject = ({ namespace, fields }: Selection, { definition }: Kind): boolean =>
  (namespace !== undefined || !definition.namespaced) &&
  fields?.requirements.some(({ field, operator, value }) => field === 'metadata.name' && operator === '=' && value !== '') === true;

const otherName = () => badRequest(`fieldSelector metadata.name doesn't match requested name`);

const isSelectable = (field: string, { strategy }: Kind): boolean =>
  metadataFields(strategy).includes(field) || Object.hasOwn(strategy.selectableFields ?? {}, field);

const metadataFields = ({ selectsNamespace = true }: Strategy): readonly string[] =>
  selectsNamespace ? ['metadata.name', 'metadata.namespace'] : ['metadata.name'];

/** Kinds with fields of their own word it in another way. */
function unknownField(field: string, { strategy }: Kind): string {
  if (strategy.selectableFields !== undefined) return strategy.unknownFieldText?.(field) ?? `field label not supported: ${field}`;
  return `${quotedText(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
