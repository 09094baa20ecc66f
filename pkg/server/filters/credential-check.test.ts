import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/registry/manual-clock.ts';
import { testContext } from '../../../test/support/request-context.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Authenticator, UserInfo } from '../../authentication/authenticator.ts';
import { unauthorized, undecided } from '../../authentication/unauthorized.ts';
import { silentLog } from '../../observability/logging.ts';
import type { AuthenticatedContext, RequestContext } from './context.ts';
import { checkCredentials } from './credential-check.ts';

const alice: UserInfo = { name: 'alice', uid: 'u', groups: [] };

const watchOf = (user: UserInfo, header: string): AuthenticatedContext =>
  testContext(
    {
      method: 'GET',
      path: '/api/v1/configmaps',
      query: 'watch=1',
      headers: { authorization: header },
      protocol: 'h2',
      secure: true,
      remoteAddress: '',
      readBody: async () => Buffer.alloc(0),
      onDisconnect: () => undefined,
    },
    { user },
  );

async function checkOnce(watches: readonly RequestContext[], authenticate: Authenticator['authenticate']): Promise<number> {
  const clock = new ManualClock(0);
  const stop = new AbortController();
  let ended = 0;
  const done = checkCredentials({
    openRequests: { longRunning: new Set(watches) },
    authenticator: { authenticate },
    clock,
    log: silentLog,
    onEnd: () => ended++,
    signal: stop.signal,
  });
  clock.advance(10_000);
  await waitFor(() => clock.sleepers === 1, { what: 'the check to be over' });
  stop.abort();
  await done;
  return ended;
}

describe('The check of credentials', () => {
  it.each<[string, boolean, Authenticator['authenticate']]>([
    ['are still valid', false, () => ({ ...alice })],
    ['are still valid, as another server says', false, async () => ({ ...alice })],
    [
      'cannot be checked now',
      false,
      () => {
        throw new StatusError('ServiceUnavailable', 'the issuer is down');
      },
    ],
    ['belong to an issuer that is down', false, () => Promise.reject(undecided('the issuer is down'))],
    ['cannot be checked now, as another server says', false, () => Promise.reject(new StatusError('ServiceUnavailable', 'down'))],
    [
      'are no longer valid',
      true,
      () => {
        throw unauthorized('expired');
      },
    ],
    ['are no longer valid, as another server says', true, () => Promise.reject(unauthorized('expired'))],
    ['count as none', true, () => undefined],
    ['belong to somebody else', true, () => ({ ...alice, name: 'bob' })],
    ['belong to another of that name', true, () => ({ ...alice, uid: 'u2' })],
  ])('of watches whose credentials %s: ends %s', async (_, isLost, authenticate) => {
    const watch = watchOf(alice, 'a');
    expect(await checkOnce([watch], authenticate)).toBe(isLost ? 1 : 0);
    expect(watch.signal.aborted).toBe(isLost);
  });

  it('looks at the sender of an impersonated request', async () => {
    const watch = Object.assign(watchOf({ name: 'jane', groups: [] }, 'a'), { impersonator: alice });
    expect(await checkOnce([watch], () => alice)).toBe(0);
  });

  it('ends those watches and no others, of many', async () => {
    const watches = Array.from({ length: 1000 }, (_, index) => watchOf(alice, String(index)));
    const lost = new Set(['3', '500', '999']);
    const ended = await checkOnce(watches, async ({ headers: { authorization = '' } }) => {
      if (lost.has(authorization)) throw unauthorized('revoked');
      return alice;
    });
    expect(ended).toBe(3);
    expect(watches.filter(({ signal }) => signal.aborted).map(({ request }) => request.headers['authorization'])).toEqual([...lost]);
  });

  it('waits when there are no watches', async () => {
    expect(await checkOnce([], () => undefined)).toBe(0);
  });
});
