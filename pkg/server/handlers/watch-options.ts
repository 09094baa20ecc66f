/** Options of a watch, from the query. */
import type { Features } from '../../apimachinery/features/features.ts';
import { forbidden, notSupported } from '../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import type { Kind } from '../../apis/kind.ts';
import type { WatchQuery } from '../../registry/object-store.ts';
import { booleanOf, integerOf, type Query } from '../filters/query.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';
import { listCauses, parseSelectors, toSelection } from './list-options.ts';
import { parseResourceVersion, throwOptionCauses } from './option-checks.ts';

export interface WatchOptions extends Omit<WatchQuery, 'signal'> {
  /** Default: chosen by the server. */
  readonly timeoutMs?: number;
}

export function parseWatchOptions(query: Query, kind: Kind, info: ResourceRequest, features: Features): WatchOptions {
  integerOf(query, 'limit'); // validated but unused, as in Kubernetes
  const timeoutSeconds = integerOf(query, 'timeoutSeconds');
  const selectors = parseSelectors(query, features);
  const resourceVersion = query.first('resourceVersion') ?? '';
  const match = query.first('resourceVersionMatch') ?? '';
  const continueToken = query.first('continue') ?? '';
  const sendInitialEvents = booleanOf(query, 'sendInitialEvents');
  const fromNow = resourceVersion === '' || resourceVersion === '0';
  // The deprecated watch paths follow the rules of lists unless the query has `watch=true`.
  const isList = info.watchPath && booleanOf(query, 'watch') !== true;
  // A watch with none of the three options gets initial events, as if requested.
  const isImplied = sendInitialEvents === undefined && fromNow && match === '' && !isList;
  const causes = isList
    ? listCauses({ resourceVersion, match, continueToken, query })
    : watchCauses(isImplied ? { match: MATCH, sendInitialEvents: true, continueToken } : { match, sendInitialEvents, continueToken });
  throwOptionCauses('ListOptions', causes);
  const selection = toSelection(selectors, kind, info);
  const from = resourceVersion === '' ? undefined : parseResourceVersion(resourceVersion);
  return {
    selection,
    initialEvents: sendInitialEvents ?? (fromNow && (match === '' || isList)),
    bookmarks: booleanOf(query, 'allowWatchBookmarks') === true,
    ...(from === 0 ? { anyState: true } : from === undefined ? {} : { from }),
    // A negative timeout ends the watch immediately; 0 counts as absent.
    ...(timeoutSeconds === undefined || timeoutSeconds === 0 ? {} : { timeoutMs: Math.max(timeoutSeconds, 0) * 1000 }),
  };
}

/** The only match that a watch supports. */
const MATCH = 'NotOlderThan';

interface WatchRules {
  readonly match: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly continueToken: string;
}

/** As in Kubernetes, `continue` is ignored without a match, and contradicts one. */
function watchCauses({ match, sendInitialEvents, continueToken }: WatchRules): StatusCause[] {
  const causes: StatusCause[] = [];
  if (sendInitialEvents !== undefined && match !== MATCH)
    causes.push(matchForbidden(`sendInitialEvents requires setting resourceVersionMatch to ${MATCH}`));
  if (match === '') return causes;
  if (sendInitialEvents === undefined)
    causes.push(matchForbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (match !== MATCH) causes.push(notSupported('resourceVersionMatch', match, [MATCH]));
  if (continueToken !== '') causes.push(matchForbidden('resourceVersionMatch is forbidden when continue is provided'));
  return causes;
}

const matchForbidden = (why: string): StatusCause => forbidden('resourceVersionMatch', why);
