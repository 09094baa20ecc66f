/** The JSON of users (`UserInfo` of authentication/v1), made once per user, since most requests come from few. */
import type { UserInfo } from '../authentication/authenticator.ts';

export class UserTexts {
  readonly #texts = new WeakMap<UserInfo, string>();

  jsonOf(user: UserInfo): string {
    let text = this.#texts.get(user);
    if (text === undefined) this.#texts.set(user, (text = userJson(user)));
    return text;
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
