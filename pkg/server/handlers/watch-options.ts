/** What a watch asks for: its query, read once. */
import type { Features } from '../../apimachinery/features/features.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import type { Kind } from '../../apis/kind.ts';
import type { WatchQuery } from '../../registry/object-store.ts';
import { booleanOf, integerOf } from '../filters/query.ts';
import type { Query } from '../filters/query.ts';
import type { ResourceRequest } from '../filters/request-info.ts';
import { listCauses, parseSelection } from './list-options.ts';
import { forbidden, notSupported, parseResourceVersion, throwOptionCauses } from './option-checks.ts';

export interface WatchOptions extends Omit<WatchQuery, 'signal'> {
  /** Absent: the server picks. */
  readonly timeoutMs?: number;
}

export function parseWatchOptions(query: Query, kind: Kind, info: ResourceRequest, features: Features): WatchOptions {
  const limit = integerOf(query, 'limit') ?? 0;
  const timeoutSeconds = integerOf(query, 'timeoutSeconds');
  const selection = parseSelection(query, kind, info, features);
  const resourceVersion = query.first('resourceVersion') ?? '';
  const match = query.first('resourceVersionMatch') ?? '';
  const asked = booleanOf(query, 'sendInitialEvents');
  const fromNow = resourceVersion === '' || resourceVersion === '0';
  // The old paths of watches are held to the rules of lists, unless the query says that it is a watch.
  const isList = info.watchPath && booleanOf(query, 'watch') !== true;
  // A watch without any of the three is the old way to ask for initial events.
  const implied = asked === undefined && fromNow && (match === '' || isList);
  const continueToken = query.first('continue') ?? '';
  const causes = isList ? listCauses({ resourceVersion, match, continueToken, query }) : matchCauses(implied ? undefined : match, asked);
  if (continueToken !== '' && !(isList && match !== '')) causes.push(continueCause(!isList && (implied || match !== '')));
  // Where Kubernetes ignores it, the specification has none (section 4.1): whoever asks for a few events would get all of them.
  if (limit > 0) causes.push(forbidden('limit', 'limit is forbidden for watch'));
  throwOptionCauses('ListOptions', causes);
  const from = resourceVersion === '' ? undefined : parseResourceVersion(resourceVersion);
  const initialEvents = asked ?? implied;
  return {
    selection,
    initialEvents,
    bookmarks: booleanOf(query, 'allowWatchBookmarks') === true,
    ...(from === 0 ? { anyState: true } : from === undefined ? {} : { from }),
    // A time that is over before it begins is a time all the same; 0 is none.
    ...(timeoutSeconds === undefined || timeoutSeconds === 0 ? {} : { timeoutMs: Math.max(timeoutSeconds, 0) * 1000 }),
  };
}

/** `match` undefined: it goes without saying. */
function matchCauses(match: string | undefined, sendInitialEvents: boolean | undefined): StatusCause[] {
  if (match === undefined) return [];
  const causes: StatusCause[] = [];
  const isOther = match !== 'NotOlderThan';
  if (sendInitialEvents !== undefined && isOther)
    causes.push(matchForbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  if (match === '') return causes;
  if (sendInitialEvents === undefined)
    causes.push(matchForbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (isOther) causes.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']));
  return causes;
}

/** A watch has no pages. Where Kubernetes says so, it says it of the match. */
const continueCause = (isOfMatch: boolean): StatusCause =>
  isOfMatch
    ? matchForbidden('resourceVersionMatch is forbidden when continue is provided')
    : forbidden('continue', 'continue is forbidden for watch');

const matchForbidden = (why: string): StatusCause => forbidden('resourceVersionMatch', why);
