import { describe, expect, it } from '@jest/globals';
import { badRequest } from '../../apimachinery/status/status-error.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import type { ApiRequest } from '../transports/request.ts';
import { RequestContext, type RequestHandler } from './context.ts';
import { deadline } from './deadline.ts';

const request = (query: string): ApiRequest => ({
  method: 'GET',
  path: '/',
  query,
  headers: {},
  protocol: 'http/1.1',
  secure: false,
  remoteAddress: '',
  readBody: async () => Buffer.alloc(0),
  onDisconnect: () => undefined,
});
const writer: ResponseWriter = { write: () => true, drained: async () => undefined, queuedBytes: 0, closed: false };
const never = new Promise<never>(() => undefined);

function run(step: RequestHandler<RequestContext>, query = '', requestTimeoutMs = 5) {
  const context = new RequestContext(request(query), 0);
  return { context, answer: deadline({ requestTimeoutMs })(step)(context) };
}

describe('The deadline', () => {
  it('answers 504 when nothing came in time, and aborts what runs', async () => {
    const { context, answer } = run(() => never);
    const { signal } = context;
    await expect(answer).rejects.toMatchObject({ reason: 'Timeout', code: 504 });
    expect(signal.aborted).toBe(true);
  });

  it('is shortened by the timeout parameter, never lengthened', async () => {
    await expect(run(() => never, 'timeout=5ms', 60_000).answer).rejects.toMatchObject({ reason: 'Timeout' });
    await expect(run(() => never, 'timeout=1h', 5).answer).rejects.toMatchObject({ reason: 'Timeout' });
  });

  it('breaks off an answer that is half sent', async () => {
    const answer = await run(async () => ({ code: 200, headers: {}, stream: () => never })).answer;
    if (!('stream' in answer)) throw new Error('no stream');
    await expect(answer.stream(writer)).rejects.toThrow('the deadline passed');
  });

  it('ends an answer whose sending starts after the deadline', async () => {
    const { context, answer } = run(async () => ({ code: 200, headers: {}, stream: () => never }));
    const response = await answer;
    if (!('stream' in response)) throw new Error('no stream');
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
    await expect(response.stream(writer)).rejects.toThrow('the deadline passed');
  });

  it('lets a long-running answer end by itself at its own time', async () => {
    const { context, answer } = run(async (own) => {
      own.becomeLongRunning(10);
      const ended = new Promise<void>((resolve) => own.signal.addEventListener('abort', () => resolve()));
      return { code: 200, headers: {}, stream: () => ended };
    });
    const watch = await answer;
    if (!('stream' in watch)) throw new Error('no stream');
    await watch.stream(writer);
    expect(context.signal.aborted).toBe(true);
  });

  it('leaves no timer behind when a step throws at once', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const { answer } = run(
      () => {
        throw badRequest('no');
      },
      '',
      60_000,
    );
    await expect(answer).rejects.toMatchObject({ reason: 'BadRequest' });
    expect(timers()).toBe(before);
  });
});
