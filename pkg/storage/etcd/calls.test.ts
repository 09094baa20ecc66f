/** Which member a call is sent to, and when it may be sent to another one. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { answer, startScriptedGrpcServer, type ScriptedCall, type ScriptedGrpcServer } from '../../../test/support/scripted-grpc-server.ts';
import { openTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { isStorageError } from '../errors.ts';
import { Calls } from './calls.ts';
import { openNativeChannel } from './grpc/channel.ts';
import { GRPC, GrpcError } from './grpc/status.ts';
import { Cluster } from './members.ts';
import type { EtcdBackendOptions } from './options.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NOBODY = 'http://127.0.0.1:1';
const refuse = ({ stream }: ScriptedCall): void => stream.close(7);
const reply = ({ stream, message }: ScriptedCall): void => answer(stream, message);

interface Member extends ScriptedGrpcServer {
  readonly seen: string[];
}

async function startMember(onCall: (call: ScriptedCall) => void): Promise<Member> {
  const seen: string[] = [];
  const server = await startScriptedGrpcServer((call) => {
    seen.push(String(call.message));
    onCall(call);
  });
  opened.push(server);
  return Object.assign(server, { seen });
}

const TOKEN_REFUSED = 'etcdserver: invalid auth token';

/** Gives the tokens `1`, `2` and so on, of which calls with all but the newest are refused at the door by `expire`. */
async function startGuardedMember(onCall: (call: ScriptedCall) => void = reply) {
  let logins = 0;
  let expired = 0;
  const server = await startMember((call) => {
    if (String(call.headers[':path']).endsWith('/Authenticate')) {
      const token = Buffer.from(String(++logins));
      answer(call.stream, Buffer.concat([Buffer.from([0x12, token.length]), token]));
    } else if (Number(call.headers['token'] ?? 0) > expired) onCall(call);
    else {
      const status = { 'grpc-status': '16', 'grpc-message': TOKEN_REFUSED };
      call.stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
    }
  });
  return {
    url: server.url,
    logins: () => logins,
    expire: () => {
      expired = logins;
    },
  };
}

function createCalls(options: Pick<EtcdBackendOptions, 'servers' | 'username' | 'password'>): Calls {
  const all = { ...options, clock: systemClock, log: silent, callTimeoutMs: 2000 };
  const cluster = new Cluster(all, openNativeChannel);
  opened.push(cluster);
  return new Calls(all, cluster);
}

function openGuardedCalls(server: string): (message: string) => Promise<string> {
  const calls = createCalls({ servers: [server], username: 'u', password: 'p' });
  return (message) => calls.call({ path: '/etcdserverpb.KV/Txn', message: Buffer.from(message), decode: String });
}

function openCalls(...servers: readonly string[]): (message: string) => Promise<string> {
  const calls = createCalls({ servers });
  return (message) => calls.call({ path: '/etcdserverpb.KV/Txn', message: Buffer.from(message), decode: String });
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a call to etcd', () => {
  it('is sent to any reachable member', async () => {
    const member = await startMember(reply);
    const call = openCalls(NOBODY, member.url, 'http://127.0.0.1:2');
    expect(await Promise.all(['a', 'b'].map(call))).toEqual(['a', 'b']);
    expect(member.connections).toBe(1);
  });

  it('fails with the error of every member when none is reachable', async () => {
    const call = openCalls(NOBODY, 'http://127.0.0.1:2');
    const error = await failure(call('a'));
    expect(isStorageError(error, 'Unreachable')).toBe(true);
    expect(String(error)).toContain('http://127.0.0.1:1: connect ECONNREFUSED');
    expect(String(error)).toContain('http://127.0.0.1:2: connect ECONNREFUSED');
  });

  it('that was not processed is retried once', async () => {
    let refused = false;
    const member = await startMember((call) => {
      if (refused) reply(call);
      else refuse(call);
      refused = true;
    });
    const call = openCalls(member.url);
    expect(await call('a')).toBe('a');
    expect(member.seen).toEqual(['a', 'a']);
  });

  it('that is again not processed was certainly not executed', async () => {
    const member = await startMember(refuse);
    const call = openCalls(member.url);
    expect(isStorageError(await failure(call('a')), 'Unreachable')).toBe(true);
    expect(member.seen).toEqual(['a', 'a']);
  });

  it('is sent to another member when one does not process it, as soon as there is another', async () => {
    const refusing = await startMember(refuse);
    const other = await startMember(reply);
    const { port } = new URL(other.url);
    const proxy = await openTcpProxy({ host: '127.0.0.1', port: Number(port) });
    opened.push(proxy);
    proxy.accept(false);
    const call = openCalls(refusing.url, `http://127.0.0.1:${proxy.port}`);
    expect(isStorageError(await failure(call('a')), 'Unreachable')).toBe(true);
    proxy.accept(true);
    await waitFor(
      () =>
        call('b')
          .then(String, () => '')
          .then((answered) => answered === 'b'),
      { what: 'the other member', everyMs: 10 },
    );
    expect(other.seen).toEqual(['b']);
  });

  it('whose reply is lost is not retried, and the next one succeeds', async () => {
    let lost = false;
    const member = await startMember((call) => {
      if (lost) reply(call);
      else call.stream.session?.destroy();
      lost = true;
    });
    const call = openCalls(member.url);
    const error = await failure(call('a'));
    expect(error).toBeInstanceOf(GrpcError);
    expect(await call('b')).toBe('b');
    expect(member.seen).toEqual(['a', 'b']);
  });

  it('shares a new login with all others whose token expired', async () => {
    const member = await startGuardedMember();
    const call = openGuardedCalls(member.url);
    expect(await call('first')).toBe('first');
    member.expire();
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    expect(await Promise.all(names.map(call))).toEqual(names);
    expect(member.logins()).toBe(2);
  });

  it('that was not processed may be retried again with a new token, as after a restart', async () => {
    let refused = true;
    const member = await startGuardedMember((call) => {
      if (refused) reply(call);
      else {
        refused = true;
        member.expire();
        refuse(call);
      }
    });
    const call = openGuardedCalls(member.url);
    expect(await call('a')).toBe('a');
    refused = false;
    expect(await call('b')).toBe('b');
    expect(member.logins()).toBe(2);
  });

  it('whose new token is rejected too is denied', async () => {
    const member = await startGuardedMember((call) => {
      member.expire();
      const status = { 'grpc-status': '16', 'grpc-message': TOKEN_REFUSED };
      call.stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
    });
    const call = openGuardedCalls(member.url);
    expect(await failure(call('a'))).toMatchObject({ code: GRPC.unauthenticated });
    expect(member.logins()).toBe(2);
  });

  it('is refused after close', async () => {
    const calls = createCalls({ servers: [NOBODY] });
    for (const each of opened.splice(0)) await each.close();
    const error = await failure(calls.call({ path: '/a', message: Buffer.from(''), decode: String }));
    expect(isStorageError(error, 'Closed')).toBe(true);
  });

  it('is not sent to a server whose address is not a URL', () => {
    const construct = (): unknown => createCalls({ servers: ['localhost:2379'] });
    expect(construct).toThrow(expect.objectContaining({ code: 'Unreachable' }));
  });
});
