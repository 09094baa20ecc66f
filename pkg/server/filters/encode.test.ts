import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Log } from '../../observability/logging.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { deadline, waitFor } from '../../../test/support/wait.ts';
import { type Output, PLAIN_JSON, PRETTY_JSON } from '../negotiation/output.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import { testContext } from '../../../test/support/request-context.ts';
import type { AuthenticatedContext } from './context.ts';
import { encode } from './encode.ts';

const YAML: Output = { mediaType: 'application/yaml', pretty: false };
const JSON_HEADERS = () => ({ 'Content-Type': 'application/json' });

function contextOf(headers: ApiRequest['headers'], output: Output | undefined): AuthenticatedContext {
  const context = testContext({
    method: 'GET',
    path: '/x',
    query: '',
    headers,
    protocol: 'http/1.1',
    secure: false,
    remoteAddress: '127.0.0.1',
    readBody: async () => Buffer.alloc(0),
    onDisconnect: () => undefined,
  });
  context.output = output;
  return context;
}

/** A reader that takes one chunk per tick and disconnects after `closeAfter` chunks. */
class SlowWriter implements ResponseWriter {
  readonly pieces: Buffer[] = [];
  closed = false;
  queuedBytes = 0;
  maxQueued = 0;
  readonly #closeAfter: number;
  constructor(closeAfter = Infinity) {
    this.#closeAfter = closeAfter;
  }
  write(bytes: Uint8Array): boolean {
    if (this.closed) return false;
    this.pieces.push(Buffer.from(bytes));
    this.queuedBytes += bytes.byteLength;
    this.maxQueued = Math.max(this.maxQueued, this.queuedBytes);
    if (this.pieces.length >= this.#closeAfter) this.closed = true;
    return false;
  }
  async drained(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.queuedBytes = 0;
  }
}

const lines: string[] = [];
const keep = (message: string) => lines.push(message);
const log: Log = { error: keep, warn: keep, info: keep, debug: keep };

async function run(answer: ApiResponse, output: Output | undefined, headers: ApiRequest['headers'] = {}, writer = new SlowWriter()) {
  const encoded = await encode({ log })(() => Promise.resolve(answer))(contextOf(headers, output));
  if ('body' in encoded) return { encoded, bytes: Buffer.concat(encoded.body), writer };
  await encoded.stream(writer);
  return { encoded, bytes: Buffer.concat(writer.pieces), writer };
}

const ITEMS = Array.from({ length: 4000 }, (_, index) => ({ metadata: { name: `n${index}` }, text: `é "${index}" ${'y'.repeat(100)}` }));
const LIST = { kind: 'XList', apiVersion: 'v1', metadata: {}, items: ITEMS };
const LIST_JSON = Buffer.from(`${JSON.stringify(LIST)}\n`);

/** Writes the list in chunks of `bytes`, respecting backpressure. */
function listInPieces(bytes: number): Extract<ApiResponse, { stream: unknown }> {
  return {
    code: 200,
    headers: { ...JSON_HEADERS(), 'Content-Length': String(LIST_JSON.byteLength) },
    stream: async (writer) => {
      for (let at = 0; at < LIST_JSON.byteLength; at += bytes) {
        if (!writer.write(LIST_JSON.subarray(at, at + bytes))) await writer.drained();
        if (writer.closed) return;
      }
    },
  };
}

describe('The encode step', () => {
  it.each([PLAIN_JSON, undefined])('passes an answer on that is to be compact JSON', async (output) => {
    const answer: ApiResponse = { code: 200, headers: JSON_HEADERS(), body: [Buffer.from('{"a":1}\n')] };
    expect((await run(answer, output)).encoded).toBe(answer);
    const stream = listInPieces(10_000);
    expect((await run(stream, output)).encoded).toBe(stream);
  });

  it('rewrites a small answer at once', async () => {
    const answer = (): ApiResponse => ({ code: 200, headers: JSON_HEADERS(), body: [Buffer.from('{"b":1.0,'), Buffer.from('"a":[]}\n')] });
    const pretty = await run(answer(), PRETTY_JSON);
    expect([pretty.bytes.toString(), pretty.encoded.headers['Content-Type']]).toEqual(['{\n  "b": 1.0,\n  "a": []\n}', 'application/json']);
    const yaml = await run(answer(), YAML);
    expect([yaml.bytes.toString(), yaml.encoded.headers['Content-Type']]).toEqual(['a: []\nb: 1.0\n', 'application/yaml']);
  });

  it('leaves what is no JSON', async () => {
    const text: ApiResponse = { code: 200, headers: { 'Content-Type': 'text/plain' }, body: [Buffer.from('ok')] };
    expect((await run(text, YAML)).encoded).toBe(text);
  });

  it.each([1000, 65_536, 10_000_000])('rewrites a list that comes in pieces of %d bytes, slowly read', async (bytes) => {
    const pretty = await run(listInPieces(bytes), PRETTY_JSON);
    expect(pretty.bytes.toString()).toBe(JSON.stringify(LIST, undefined, 2));
    expect(pretty.encoded.headers['Content-Length']).toBeUndefined();
    expect(pretty.writer.maxQueued).toBeLessThan(256 * 1024);
    const open = await run(listInPieces(bytes), YAML);
    const zipped = await run(listInPieces(bytes), YAML, { 'accept-encoding': 'gzip' });
    expect(zipped.encoded.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    expect(gunzipSync(zipped.bytes).equals(open.bytes)).toBe(true);
    if (bytes === 65_536) expect(parse(open.bytes.toString())).toEqual(LIST);
  });

  it('compresses a large stream of compact JSON', async () => {
    const { encoded, bytes } = await run(listInPieces(10_000), PLAIN_JSON, { 'accept-encoding': 'gzip' });
    expect(encoded.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    expect(encoded.headers['Content-Length']).toBeUndefined();
    expect(gunzipSync(bytes).equals(LIST_JSON)).toBe(true);
  });

  it('prefers the gzip that a response brings along, unless it is rewritten', async () => {
    const list = (): ApiResponse => ({
      ...listInPieces(10_000),
      gzipStream: async (writer) => {
        writer.write(Buffer.from('cached'));
      },
    });
    const accepting = { 'accept-encoding': 'gzip' };
    expect((await run(list(), PLAIN_JSON, accepting)).bytes.toString()).toBe('cached');
    expect((await run(list(), PLAIN_JSON)).bytes.equals(LIST_JSON)).toBe(true);
    expect(gunzipSync((await run(list(), PRETTY_JSON, accepting)).bytes).toString()).toBe(JSON.stringify(LIST, undefined, 2));
    const small: ApiResponse = { code: 200, headers: {}, body: [Buffer.from('x')], gzip: () => Promise.resolve(Buffer.from('cached')) };
    expect((await run(small, undefined, accepting)).bytes.toString()).toBe('cached');
  });

  it.each([PRETTY_JSON, YAML])('compresses no list that is said to be small', async (output) => {
    const list = (byteLength: number): ApiResponse => ({ ...listInPieces(LIST_JSON.byteLength), headers: JSON_HEADERS(), byteLength });
    const asked = { 'accept-encoding': 'gzip' };
    expect((await run(list(128 * 1024), output, asked)).encoded.headers['Content-Encoding']).toBeUndefined();
    expect((await run(list(128 * 1024 + 1), output, asked)).encoded.headers['Content-Encoding']).toBe('gzip');
  });

  it('rewrites one large object piece by piece', async () => {
    const answer = (): ApiResponse => ({ code: 200, headers: JSON_HEADERS(), body: [LIST_JSON] });
    const { encoded, bytes, writer } = await run(answer(), PRETTY_JSON);
    expect('stream' in encoded).toBe(true);
    expect(bytes.toString()).toBe(JSON.stringify(LIST, undefined, 2));
    expect(writer.maxQueued).toBeLessThan(256 * 1024);
    const plain = await run(answer(), PLAIN_JSON, { 'accept-encoding': 'gzip' });
    expect(gunzipSync(plain.bytes).equals(LIST_JSON)).toBe(true);
  });

  it.each([PRETTY_JSON, YAML])('ends the writer when the reader goes', async (output) => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      let ended = false;
      const list = listInPieces(50_000);
      const answer = { ...list, stream: (writer: ResponseWriter) => list.stream(writer).finally(() => (ended = true)) };
      await run(answer, output, headers, new SlowWriter(1));
      expect(ended).toBe(true);
    }
  });

  it.each([{}, { 'accept-encoding': 'gzip' }])('breaks off where its writer breaks off, and does not log that again', async (headers) => {
    lines.length = 0;
    const failing: ApiResponse = {
      code: 200,
      headers: JSON_HEADERS(),
      stream: (writer) => {
        writer.write(Buffer.from('{"items":[{"a":1},'));
        return Promise.reject(new Error('the store is gone'));
      },
    };
    await expect(run(failing, YAML, headers)).rejects.toThrow('the store is gone');
    expect(lines).toEqual([]);
  });

  it.each([{}, { 'accept-encoding': 'gzip' }])('breaks off with its writer when nobody reads', async (headers) => {
    const writer = new MemoryResponseWriter();
    writer.pause();
    const list = listInPieces(50_000);
    const failing: ApiResponse = {
      ...list,
      stream: async (behind) => {
        void list.stream(behind);
        await waitFor(() => writer.queuedBytes > 0, { what: 'what is not taken' });
        throw new Error('the deadline passed');
      },
    };
    const encoded = await encode({ log })(() => Promise.resolve(failing))(contextOf(headers, YAML));
    if (!('stream' in encoded)) throw new Error('no stream');
    await expect(deadline(encoded.stream(writer), 5000, 'the end')).rejects.toThrow('the deadline passed');
    writer.close();
  });

  it('shows a refusal in the form that was asked for, whether or not one was agreed on', async () => {
    const refusal = (code: number): ApiResponse => ({ code, headers: JSON_HEADERS(), body: [Buffer.from('{"code":1}\n')] });
    const shown = async (code: number, headers: ApiRequest['headers'], output?: Output) =>
      (await run(refusal(code), output, headers)).bytes.toString();
    expect(await shown(404, { accept: 'application/yaml' })).toBe('code: 1\n');
    expect(await shown(404, { 'user-agent': 'curl/8' })).toBe('{\n  "code": 1\n}');
    expect(await shown(404, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' })).toBe('{"code":1}\n');
    expect(await shown(404, { accept: 'text/plain' })).toBe('{\n  "code": 1\n}');
    // A watch is never YAML.
    expect(await shown(406, { accept: 'application/yaml' })).toBe('code: 1\n');
    expect(await shown(404, {}, PLAIN_JSON)).toBe('{"code":1}\n');
  });

  it('does not touch a watch', async () => {
    const context = contextOf({}, YAML);
    context.becomeLongRunning(10_000);
    const answer = listInPieces(1000);
    expect(await encode({ log })(() => Promise.resolve(answer))(context)).toBe(answer);
    context.clearDeadline();
  });
});
