/**
 * Single reads and whole lists in protobuf beside the same in JSON. The two take turns, so that what else the machine
 * does concerns both; a list must not take longer than in JSON by more than a third, once its objects have been made.
 */
import { gunzipSync } from 'node:zlib';
import { parseEnvelope } from '../../pkg/schema/protobuf/envelope.ts';
import { MessageReader } from '../../pkg/schema/protobuf/message-reader.ts';
import { LENGTH_DELIMITED, toTag } from '../../pkg/schema/protobuf/wire-type.ts';
import { withConnections, type Connection } from './connection.ts';
import { generateLoad } from './load-generator.ts';
import type { Objects } from './objects.ts';
import { objectsIn } from './list-rows.ts';
import { median, type Report } from './report.ts';
import { COLLECTION, get, pathOf } from './sample-object.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const GZIP = 'Accept-Encoding: gzip\r\n';
const ROUNDS = 4;
/** Of the time that JSON takes. */
const MAX_TIME = 4 / 3;
/** `items`, in every list. */
const ITEMS = toTag(2, LENGTH_DELIMITED);

const READERS = 16;
const READS = `get consistent, ${READERS} clients`;
const FIRST_SHARE = 1 / 10;

const LISTS = [
  { name: 'list', headers: '', clients: 1 },
  { name: 'list', headers: '', clients: 4 },
  { name: 'list gzip', headers: GZIP, clients: 1 },
  { name: 'list gzip', headers: GZIP, clients: 4 },
] as const;

interface Way {
  readonly name: string;
  /** Of its row. */
  readonly details: Readonly<Record<string, number>>;
  readonly work: (connection: Connection) => Promise<boolean>;
}

interface Measured {
  readonly perSecond: number;
  /** Milliseconds of the server for each, where it can be measured. */
  readonly cpu?: number;
}

export async function protobufRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  const { target } = objects;
  await firstReads(objects, report, seconds);
  for (const { name, headers, clients } of LISTS) {
    const label = `${name}, ${clients} client${clients === 1 ? '' : 's'} of ${objects.label}`;
    const ways = [
      await listIn(objects, 'in JSON', get(COLLECTION, headers), objectsIn),
      await listIn(objects, 'in protobuf', get(COLLECTION, headers, PROTOBUF), elementsIn),
    ];
    const ratio = await inTurns(ways, { objects, report, seconds, clients, label });
    if (ratio > MAX_TIME) report.note(`${target.name}: ${label}: protobuf takes ${ratio.toFixed(2)} times as long as JSON`);
  }
  const ways = [getIn(objects, 'in JSON'), getIn(objects, 'in protobuf', PROTOBUF)];
  await inTurns(ways, { objects, report, seconds, clients: READERS, label: READS });
}

/** Reads some objects while nothing is made of them yet: few, so that the first list finds the others like that. */
async function firstReads(objects: Objects, report: Report, seconds: number): Promise<void> {
  const { target, count } = objects;
  let left = Math.floor(count * FIRST_SHARE);
  const { work } = getIn(objects, '', PROTOBUF);
  const { perSecond, details } = await generateLoad({ target, clients: READERS, seconds, enough: () => --left <= READERS, work });
  report.add({ target: target.name, name: `${READS}, in protobuf, first reads`, value: perSecond, unit: '/s', details });
}

function getIn(objects: Objects, name: string, accept?: string): Way {
  let index = 0;
  return {
    name,
    details: {},
    work: async (connection) => {
      index = (index + 7919) % objects.count;
      return (await connection.send(get(pathOf(index), '', accept))).code === 200;
    },
  };
}

interface LoopTicks {
  readonly objects: Objects;
  readonly report: Report;
  readonly seconds: number;
  readonly clients: number;
  readonly label: string;
}

/** Adds a row for each of two ways, and one that says how much longer the second takes, which is returned. */
async function inTurns(ways: readonly Way[], { objects, report, seconds, clients, label }: LoopTicks): Promise<number> {
  const { target } = objects;
  const rounds = ways.map((): Measured[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { work }] of ways.entries()) {
      const { perSecond, details: of } = await generateLoad({ target, clients, seconds: seconds / ROUNDS, work });
      rounds[index]?.push({ perSecond, ...(of['cpu'] === undefined ? {} : { cpu: of['cpu'] }) });
    }
  }
  const [json, protobuf] = rounds.map((measured) => ({
    perSecond: median(measured.map(({ perSecond }) => perSecond)),
    cpu: median(measured.map(({ cpu = 0 }) => cpu)),
  }));
  if (json === undefined || protobuf === undefined) throw new Error('two ways are compared');
  for (const [index, { perSecond, cpu }] of [json, protobuf].entries()) {
    const name = `${label}, ${ways[index]?.name ?? ''}`;
    report.add({ target: target.name, name, value: perSecond, unit: '/s', details: { cpu, ...ways[index]?.details } });
  }
  const time = json.perSecond / protobuf.perSecond;
  const most = label.startsWith('list') ? { 'at most': MAX_TIME } : {};
  report.add({
    target: target.name,
    name: `${label}, protobuf to JSON`,
    value: time,
    unit: 'of the time',
    details: { cpu: protobuf.cpu / json.cpu, ...most },
  });
  return time;
}

/**
 * Sends the list once: that it is whole, what it took while nothing of it was known, if it is the first, and its size
 * as sent.
 */
async function listIn({ target, count }: Objects, name: string, request: string, countIn: (list: Buffer) => number): Promise<Way> {
  const [first] = await withConnections(target.address(), 1, async (connection) => {
    const begun = performance.now();
    const reply = await connection.send(request, true);
    return { reply, ms: performance.now() - begun };
  });
  if (first?.reply.code !== 200) throw new Error(`a list ${name}: ${first?.reply.code ?? 0}`);
  const { body, bytes } = first.reply;
  const found = countIn(body[0] === 0x1f ? gunzipSync(body) : body);
  if (found !== count) throw new Error(`a list ${name}: ${found} objects instead of ${count}`);
  return { name, details: { first: first.ms, mb: bytes / 1e6 }, work: async (connection) => (await connection.send(request)).code === 200 };
}

function elementsIn(sealed: Buffer): number {
  const from = new MessageReader(parseEnvelope(sealed).raw);
  let count = 0;
  while (from.hasMore) {
    const tag = from.tag();
    if (tag === ITEMS) {
      from.bytes();
      count++;
    } else {
      from.skipUnknown(tag, []);
    }
  }
  return count;
}
