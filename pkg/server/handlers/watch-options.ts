/** What a watch asks for: its query, read once. */
import type { Features } from '../../apimachinery/features/features.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import type { Kind } from '../../apis/kind.ts';
import type { WatchQuery } from '../../registry/object-store.ts';
import { booleanOf, integerOf } from '../shell/query.ts';
import type { Query } from '../shell/query.ts';
import type { ResourceRequest } from '../shell/request-info.ts';
import { MATCHES, parseSelection } from './list-options.ts';
import { forbidden, notSupported, parseResourceVersion, throwOptionCauses } from './option-checks.ts';

export interface WatchOptions extends Omit<WatchQuery, 'signal'> {
  /** Absent: the server picks. */
  readonly timeoutMs?: number;
}

export function parseWatchOptions(query: Query, kind: Kind, info: ResourceRequest, features: Features): WatchOptions {
  integerOf(query, 'limit'); // ignored, but it must be a number
  const timeoutSeconds = integerOf(query, 'timeoutSeconds');
  const selection = parseSelection(query, kind, info, features);
  const resourceVersion = query.first('resourceVersion') ?? '';
  const match = query.first('resourceVersionMatch') ?? '';
  const asked = booleanOf(query, 'sendInitialEvents');
  const fromNow = resourceVersion === '' || resourceVersion === '0';
  // A watch without any of the three is the old way to ask for initial events.
  const implied = asked === undefined && match === '' && fromNow;
  const causes = asked === undefined ? matchCauses(match) : initialEventsCauses(match);
  if (implied && resourceVersion === '' && (query.first('continue') ?? '') !== '') {
    causes.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'));
  }
  throwOptionCauses('ListOptions', causes);
  const from = resourceVersion === '' ? undefined : parseResourceVersion(resourceVersion);
  const initialEvents = asked ?? implied;
  return {
    selection,
    initialEvents,
    bookmarks: booleanOf(query, 'allowWatchBookmarks') === true,
    ...(from === undefined || from === 0 ? {} : { from }),
    ...(timeoutSeconds === undefined || timeoutSeconds <= 0 ? {} : { timeoutMs: timeoutSeconds * 1000 }),
  };
}

function matchCauses(match: string): StatusCause[] {
  if (match === '') return [];
  const causes = [forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')];
  return match === 'NotOlderThan' ? causes : [...causes, notSupported('resourceVersionMatch', match, ['NotOlderThan'])];
}

function initialEventsCauses(match: string): StatusCause[] {
  if (match === 'NotOlderThan') return [];
  const causes = [forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')];
  return match === '' || MATCHES.includes(match) ? causes : [...causes, notSupported('resourceVersionMatch', match, ['NotOlderThan'])];
}
