/** The user that a request wants to act as (`Impersonate-User` and others, `kubectl --as`). */
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { ApiRequest } from '../transports/request.ts';
import { headerValues } from '../../authentication/header-values.ts';
import { unescapedKey } from '../../authentication/request-header.ts';

const USER = 'impersonate-user';
const UID = 'impersonate-uid';
const GROUP = 'impersonate-group';
const EXTRA = 'impersonate-extra-';

/** As sent; empty where nothing was. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys are decoded and in lower case. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** Undefined when no impersonation is requested. Throws BadRequest for one without a user. */
export function impersonationOf(request: Pick<ApiRequest, 'headers' | 'repeatedHeaders'>): WantedUser | undefined {
  let requested = false;
  const extra = new Map<string, readonly string[]>();
  for (const header in request.headers) {
    if (!header.startsWith('impersonate-')) continue;
    requested ||= header === USER || header === UID || header === GROUP;
    if (!header.startsWith(EXTRA)) continue;
    const key = unescapedKey(header.slice(EXTRA.length));
    extra.set(key, [...(extra.get(key) ?? []), ...headerValues(request, header)]);
    requested = true;
  }
  if (!requested) return undefined;
  const [name = ''] = headerValues(request, USER);
  const [uid = ''] = headerValues(request, UID);
  const wanted = { name, uid, groups: headerValues(request, GROUP), extra };
  if (name !== '') return wanted;
  if (uid === '' && wanted.groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${toGoSyntax(wanted)} without impersonating a user name`);
}

/** Kubernetes prints the value as Go source. */
function toGoSyntax({ uid, groups, extra }: WantedUser): string {
  const text = (value: string) => JSON.stringify(value);
  const list = (values: readonly string[]) => `[]string{${values.map(text).join(', ')}}`;
  const entries = [...extra].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, values]) => `${text(key)}:${list(values)}`);
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups);
  const shownExtra = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${text(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
}
