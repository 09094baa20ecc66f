/** Parts of Events that repeat: users, since most requests come from few, and the second. */
import type { UserInfo } from '../authentication/authenticator.ts';

const MS_PER_SECOND = 1000;

export class EventTexts {
  readonly #users = new WeakMap<UserInfo, string>();
  #second = NaN;
  #secondText = '';

  /** JSON (`UserInfo` of authentication/v1). */
  userJson(user: UserInfo): string {
    let text = this.#users.get(user);
    if (text === undefined) this.#users.set(user, (text = userJson(user)));
    return text;
  }

  /** RFC 3339 in UTC with six digits. `ms`: since the epoch, with a fraction. */
  microTime(ms: number): string {
    const second = Math.floor(ms / MS_PER_SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = new Date(second * MS_PER_SECOND).toISOString().slice(0, '2006-01-02T15:04:05'.length);
    }
    const micros = Math.floor((ms - second * MS_PER_SECOND) * MS_PER_SECOND);
    return `${this.#secondText}.${String(micros).padStart(6, '0')}Z`;
  }
}

function userJson({ name, uid, groups, extra = {} }: UserInfo): string {
  return JSON.stringify({
    ...(name === '' ? {} : { username: name }),
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: sortedByKey(extra) }),
  });
}

/** Go writes maps in this order. */
export const sortedByKey = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
