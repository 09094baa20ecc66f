/**
 * What one object costs in protobuf and in JSON, without HTTP: a realistic CronJob of 3 KB is written and read over and
 * over in one process. Each figure is a median. Run it by itself: `node_modules/.bin/node test/bench/protobuf.ts`.
 */
import { readFileSync } from 'node:fs';
import { CronJobShape } from '../../pkg/apis/batch/v1/cronjobs/shapes.gen.ts';
import { createMessageCodec } from '../../pkg/schema/protobuf/message-codec.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';
import { median } from './report.ts';

export interface ProtobufRow {
  readonly name: string;
  readonly value: number;
  readonly unit: 'µs';
}

const SAMPLE = new URL('../../pkg/apis/batch/v1/cronjobs/testdata/realistic.json', import.meta.url);
const WARM_UP = 100;
const ROUNDS = 300;
/** Calls of each round, so that the clock's own time does not count. */
const CALLS = 20;

export function benchProtobuf(): readonly ProtobufRow[] {
  const plain: unknown = JSON.parse(readFileSync(SAMPLE, 'utf8'));
  const text = JSON.stringify(plain);
  const json = createObjectCodec(CronJobShape);
  const protobuf = createMessageCodec(CronJobShape);
  const stored = Buffer.from(text);
  const object = json.parseStored(stored);
  const message = protobuf.encode(object);
  const parts: readonly (readonly [string, () => unknown])[] = [
    ['JSON.parse', () => JSON.parse(text) as unknown],
    ['JSON.stringify', () => JSON.stringify(plain)],
    ['JSON decode', () => json.parseStored(stored)],
    ['JSON encode', () => json.encode(object)],
    ['protobuf decode', () => protobuf.decode(message)],
    ['protobuf encode', () => protobuf.encode(object)],
    ['stored JSON to protobuf', () => protobuf.encode(json.parseStored(stored))],
  ];
  const times = parts.map((): number[] => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [index, [, run]] of parts.entries()) {
      const begun = performance.now();
      for (let call = 0; call < CALLS; call++) run();
      if (round >= WARM_UP) times[index]?.push(((performance.now() - begun) * 1000) / CALLS);
    }
  }
  return parts.map(([name], index) => ({ name, value: median(times[index] ?? []), unit: 'µs' }));
}

if (import.meta.main) for (const { name, value } of benchProtobuf()) console.log(`${name.padEnd(40)} ${value.toFixed(1)} µs`);
