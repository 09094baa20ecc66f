import { describe, expect, it } from '@jest/globals';
import { StatusError } from '../apimachinery/status/status-error.ts';
import { reviewToken } from './review-token.ts';
import { createTokenFileAuthenticator, parseTokenFile } from './token-file.ts';

const OWN = ['this-server'];
const table = parseTokenFile('good,alice,u1,dev\nöß,umlaut,u2\n', 'tokens.csv');
const tokens = createTokenFileAuthenticator(() => table, OWN);
const review = (text: string, audiences = OWN, enabled = true) =>
  reviewToken({ tokens, audiences: OWN, anonymous: () => ({ enabled }) })(text, audiences);

describe('A review of a token', () => {
  it('tells whose it is, for the audiences in question', async () => {
    const user = { name: 'alice', uid: 'u1', groups: ['dev', 'system:authenticated'] };
    expect(await review('good')).toEqual({ user, audiences: OWN });
    expect(await review('good', ['x', 'this-server'])).toEqual({ user, audiences: OWN });
    expect(await review('öß')).toMatchObject({ user: { name: 'umlaut' } });
  });

  it('tells why it is not valid', async () => {
    expect(await review('bad')).toEqual({ error: 'invalid bearer token' });
    expect(await review('good', ['x'])).toEqual({ error: 'invalid bearer token' });
  });

  it('reads it as a header would be read', async () => {
    expect(await review('good and more')).toMatchObject({ user: { name: 'alice' } });
    expect(await review(' good')).toEqual({ user: { name: 'system:anonymous', groups: ['system:unauthenticated'] }, audiences: OWN });
    expect(await review(' good', OWN, false)).toEqual({});
  });

  it('does not take a failure for an answer', async () => {
    const broken = {
      authenticateToken: () => {
        throw new StatusError('ServiceUnavailable', 'not filled');
      },
    };
    await expect(reviewToken({ tokens: broken, audiences: OWN, anonymous: () => ({ enabled: true }) })('a', OWN)).rejects.toThrow(
      'not filled',
    );
  });
});
