/** Reads `--token-auth-file`: one user per record, `token,user,uid` and optionally `"group1,group2"`. */
import type { UserInfo } from './authenticator.ts';
import { sharedAudiences, toBearerToken, type TokenAuthenticator } from './bearer-token.ts';
import { CsvError, parseCsv } from './csv.ts';
import type { CsvRecord } from './csv.ts';

/** By the digest of the token. */
export type TokenTable = ReadonlyMap<string, UserInfo>;

/** `path` is only used in messages. Throws an Error with one sentence: the file, the line, but never a token. */
export function parseTokenFile(text: string, path: string): TokenTable {
  const refuse = (line: number, why: string) => new Error(`the token file ${path} is wrong in line ${line}: ${why}`);
  const users = new Map<string, UserInfo>();
  const lines = new Map<string, number>();
  for (const { line, fields } of records(text.replace(/^\ufeff/, ''), refuse)) {
    const [token = '', name = '', uid = '', groups = ''] = fields;
    if (fields.length < 3) throw refuse(line, `it must have at least 3 columns (token, user, uid), and has ${fields.length}`);
    if (token === '') throw refuse(line, 'its token is empty');
    // A header cannot contain white space, so the token could never be used.
    if (/\s/.test(token)) throw refuse(line, 'its token contains white space');
    if (name === '') throw refuse(line, 'its user is empty');
    const digest = toBearerToken(Buffer.from(token, 'utf8')).digest;
    const before = lines.get(digest);
    if (before !== undefined) throw refuse(line, `it has the same token as line ${before}`);
    lines.set(digest, line);
    users.set(digest, {
      name,
      ...(uid === '' ? {} : { uid }),
      groups: groups.split(',').filter((group) => group !== ''),
    });
  }
  return users;
}

function records(text: string, refuse: (line: number, why: string) => Error): readonly CsvRecord[] {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof CsvError) throw refuse(error.line, error.message);
    throw error;
  }
}

/** `tokens`: those of the file as it is now. */
export const createTokenFileAuthenticator = (tokens: () => TokenTable, own: readonly string[]): TokenAuthenticator => ({
  authenticateToken: ({ token, audiences }) => {
    const user = tokens().get(token.digest);
    if (user === undefined) return undefined;
    const shared = sharedAudiences(own, audiences);
    return shared.length === 0 ? undefined : { user, audiences: shared };
  },
});
