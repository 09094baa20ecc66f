import { describe, expect, it } from '@jest/globals';
import { toRevision } from '../storage/backend.ts';
import { toKey } from '../storage/keys.ts';
import { parseContinueToken, toContinueToken } from './continue-token.ts';

const prefix = toKey('/batch/cronjobs/reports/');
const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');

describe('continue token', () => {
  it('comes back as it was given, also with names that are not ASCII', () => {
    for (const start of ['nightly', 'größe/東京']) {
      const token = { revision: toRevision(42), start: toKey(`/batch/cronjobs/reports/${start}`) };
      expect(parseContinueToken(prefix, toContinueToken(prefix, token))).toEqual(token);
    }
  });

  it('can stand for the newest state', () => {
    const token = { revision: undefined, start: toKey('/batch/cronjobs/reports/a') };
    expect(parseContinueToken(prefix, toContinueToken(prefix, token))).toEqual(token);
  });

  it('holds nothing of what comes before the list', () => {
    const token = toContinueToken(prefix, { revision: toRevision(42), start: toKey('/batch/cronjobs/reports/a') });
    expect(Buffer.from(token, 'base64url').toString()).not.toContain('reports');
  });

  it.each(['../../apps/controllerrevisions/other/a', '/etc', '\0', 'a/../../b'])(
    'stays behind the prefix when it was forged: %j',
    (start) => {
      const parsed = parseContinueToken(prefix, encode({ v: 1, rv: 7, start }));
      expect(parsed.start.startsWith(prefix)).toBe(true);
    },
  );

  it.each([
    '',
    'x',
    '!!!',
    encode(null),
    encode([]),
    encode({}),
    encode({ v: 2, rv: 7, start: 'a' }),
    encode({ v: 1, rv: '7', start: 'a' }),
    encode({ v: 1, rv: 0, start: 'a' }),
    encode({ v: 1, rv: -2, start: 'a' }),
    encode({ v: 1, rv: 1e300, start: 'a' }),
    encode({ v: 1, rv: 1.5, start: 'a' }),
    encode({ v: 1, rv: 7, start: '' }),
    encode({ v: 1, rv: 7 }),
  ])('is refused when broken: %s', (token) => {
    expect(() => parseContinueToken(prefix, token)).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });
});
