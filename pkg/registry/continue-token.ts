/** Continue tokens: base64url of JSON. The key is relative to the list's prefix, so a forged token cannot leave it. */
import { badRequest } from '../apimachinery/status/status-error.ts';
import { type Revision, toRevision } from '../storage/backend.ts';
import { type Key, keyText, toKey } from '../storage/keys.ts';

const VERSION = 1;
/** The newest state, for continuing a list whose own state has expired. */
const NEWEST = -1;

export interface ContinueToken {
  /** Absent: the newest state. */
  readonly revision: Revision | undefined;
  readonly start: Key;
}

export function toContinueToken(prefix: Key, { revision, start }: ContinueToken): string {
  const content = { v: VERSION, rv: revision ?? NEWEST, start: keyText(start.slice(prefix.length) as Key) };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Throws BadRequest. */
export function parseContinueToken(prefix: Key, token: string): ContinueToken {
  const content = parseContent(token);
  if (typeof content !== 'object' || content === null || !('v' in content) || !('rv' in content) || !('start' in content))
    throw malformed();
  const { v, rv, start } = content;
  if (v !== VERSION || typeof rv !== 'number' || !Number.isSafeInteger(rv) || typeof start !== 'string' || start === '') throw malformed();
  if (rv !== NEWEST && rv <= 0) throw malformed();
  return { revision: rv === NEWEST ? undefined : toRevision(rv), start: (prefix + toKey(start)) as Key };
}

function parseContent(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw malformed();
  }
}

const malformed = () => badRequest('continue: not a token of this server');
