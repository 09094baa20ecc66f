/**
 * The two HTTP/2 transports beside each other: what a client sees of each for the same bytes. Node's is the yardstick;
 * every difference is listed here with its reason, and one that is gone fails as well.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_CODE } from '../../pkg/http2/frames.ts';
import { HpackDecoder } from '../../pkg/http2/hpack-decoder.ts';
import { HTTP2_IMPLEMENTATIONS, type Http2Implementation } from '../../pkg/server/transports/http2-transport.ts';
import { waitFor } from '../support/wait.ts';
import { HTTP2_CASES, type Http2Case } from './http2-cases.ts';
import { FLAG, FrameCollector, get, PREFACE, settings, TYPE, type Frame } from './http2-frames.ts';
import { DIFFERENCES } from './http2-differences.ts';
import { dialTls, openSecure, type Transport } from './transport.ts';

const PROBE = 1001;

const transports = new Map<Http2Implementation, Transport>();
beforeAll(async () => {
  for (const http2 of HTTP2_IMPLEMENTATIONS) transports.set(http2, await openSecure({ http2 }));
});
afterAll(() => Promise.all([...transports.values()].map(({ listener }) => listener.stop(0))));

const CODES = new Map<number, string>(Object.entries(ERROR_CODE).map(([name, code]) => [code, name]));

/** What a client sees: `1: 200 "hello"; goaway protocolError; closed`. */
async function outcomeOf(implementation: Http2Implementation, { frames, opening }: Http2Case): Promise<string> {
  const transport = transports.get(implementation);
  if (transport === undefined) throw new Error(`no transport ${implementation}`);
  const socket = await dialTls(transport.port, { ALPNProtocols: ['h2'] });
  socket.on('error', () => undefined);
  const reader = new FrameCollector(socket);
  try {
    socket.write(Buffer.concat([opening ?? Buffer.concat([PREFACE, settings()]), ...frames, get(PROBE, '/probe')]));
    // Requests are answered in order, so whoever has an answer has it before the probe.
    await waitFor(() => reader.isClosed || isOver(reader, PROBE), { what: () => `an end: ${describeAll(reader)}`, everyMs: 2 });
    return describeAll(reader);
  } finally {
    socket.destroy();
  }
}

const isOver = (reader: FrameCollector, stream: number): boolean =>
  reader.frames.some(
    ({ type, flags, stream: of }) => of === stream && (type === TYPE.reset || (isContent(type) && (flags & FLAG.endStream) !== 0)),
  );
const isContent = (type: number): boolean => type === TYPE.data || type === TYPE.headers;

function describeAll(reader: FrameCollector): string {
  const streams = new Map<number, string[]>();
  const connection: string[] = [];
  const decoder = new HpackDecoder();
  for (const each of reader.frames) {
    if (each.type === TYPE.goaway) connection.push(`goaway ${codeAt(each, 4)}`);
    if (each.type === TYPE.headers || each.type === TYPE.data || each.type === TYPE.reset) {
      const said = streams.get(each.stream) ?? [];
      if (each.type === TYPE.headers) {
        said.push(decoder.decode(each.payload, 0, each.payload.length)?.find(({ name }) => name === ':status')?.value ?? 'no status');
      } else if (each.type === TYPE.reset) said.push(`reset ${codeAt(each, 0)}`);
      else if (each.payload.length > 0) said.push(each.payload.toString());
      streams.set(each.stream, said);
    }
  }
  const served = (streams.get(PROBE)?.[0] ?? '') === '200';
  streams.delete(PROBE);
  const parts = [...streams].sort(([a], [b]) => a - b).map(([stream, said]) => `${stream}: ${said.join(' ')}`);
  return [...parts, ...new Set(connection), reader.isClosed ? 'closed' : served ? 'goes on' : 'next request refused'].join('; ');
}

const codeAt = ({ payload }: Frame, at: number): string => CODES.get(payload.readUInt32BE(at)) ?? String(payload.readUInt32BE(at));

describe('both HTTP/2 transports', () => {
  it.each(HTTP2_CASES)('answer alike, or differ for a reason: $name', async (each) => {
    const [native, node] = await Promise.all(HTTP2_IMPLEMENTATIONS.map((implementation) => outcomeOf(implementation, each)));
    const explained = DIFFERENCES.get(each.name);
    if (explained === undefined) expect(native).toBe(node);
    else expect({ native, node, why: explained.why }).toEqual(explained);
  });

  it('differ in nothing that is not a case', () => {
    const names = HTTP2_CASES.map(({ name }) => name);
    expect([...DIFFERENCES.keys()].filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});
