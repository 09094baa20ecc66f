import { describe, expect, it } from '@jest/globals';
import { StatusError } from '../apimachinery/status/status-error.ts';
import type { Authenticator, Credentials, UserInfo } from './authenticator.ts';
import { withAuthenticatedGroup } from './groups.ts';
import { unauthorized } from './unauthorized.ts';
import { firstFound } from './union.ts';

const nothing: Credentials = { headers: {}, secure: true, remoteAddress: '' };
const user = { name: 'u', groups: ['g'] };
const takes: Authenticator = { authenticate: () => user };
const passes: Authenticator = { authenticate: () => undefined };
const refuses: Authenticator = {
  authenticate: () => {
    throw unauthorized('first');
  },
};
const later = (authenticator: Authenticator): Authenticator => ({
  authenticate: async (credentials) => authenticator.authenticate(credentials),
});
const ask = (...authenticators: Authenticator[]) =>
  firstFound<Credentials, UserInfo>(authenticators.map((each) => (credentials) => each.authenticate(credentials)))(nothing);

describe('Union of authenticators', () => {
  it('is synchronous if all authenticators are', () => {
    expect(ask(passes, refuses, takes)).toBe(user);
    expect(ask(passes, passes)).toBeUndefined();
    expect(() => ask(passes, refuses, passes)).toThrow(expect.objectContaining({ reason: 'Unauthorized' }));
  });

  it('awaits asynchronous authenticators and continues', async () => {
    await expect(ask(later(passes), later(refuses), passes, later(takes))).resolves.toBe(user);
    await expect(ask(later(passes))).resolves.toBeUndefined();
    await expect(ask(later(refuses), refuses)).rejects.toMatchObject({
      reason: 'Unauthorized',
      cause: { message: 'first', reasons: ['first', 'first'] },
    });
  });

  it('stops at the first user', () => {
    const never: Authenticator = {
      authenticate: () => {
        throw new Error('asked');
      },
    };
    expect(ask(takes, never)).toBe(user);
  });

  it('does not treat a bug as invalid credentials', async () => {
    const broken: Authenticator = {
      authenticate: () => {
        throw new StatusError('InternalError', 'broken');
      },
    };
    expect(() => ask(broken, takes)).toThrow('broken');
    await expect(ask(later(broken), takes)).rejects.toThrow('broken');
  });
});

describe('system:authenticated', () => {
  it('is added to synchronous and asynchronous results', async () => {
    const marked = { name: 'u', groups: ['g', 'system:authenticated'] };
    expect(withAuthenticatedGroup(takes).authenticate(nothing)).toEqual(marked);
    await expect(withAuthenticatedGroup(later(takes)).authenticate(nothing)).resolves.toEqual(marked);
    await expect(withAuthenticatedGroup(later(passes)).authenticate(nothing)).resolves.toBeUndefined();
  });
});
