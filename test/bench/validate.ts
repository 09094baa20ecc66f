/**
 * What a write costs before it is stored, without HTTP: a realistic CronJob of 3 KB is decoded, filled in, checked and
 * encoded, over and over in one process. Each figure is a median. Run it by itself: `node_modules/.bin/node
 * test/bench/validate.ts`.
 */
import { readFileSync } from 'node:fs';
import { createFeatures } from '../../pkg/apimachinery/features/features.ts';
import { createTimeZones } from '../../pkg/apimachinery/time/time-zones.ts';
import { createAdmissionChain } from '../../pkg/admission/admission.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import type { KubernetesObject } from '../../pkg/apis/kind.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { prepareWrite, type CreateWrite } from '../../pkg/registry/pipeline.ts';
import { compileKind } from '../../pkg/registry/compiled-kind.ts';
import { toRules } from '../../pkg/registry/registry.ts';
import { median } from './report.ts';

export interface ValidateRow {
  readonly name: string;
  readonly value: number;
  readonly unit: 'µs';
  /** At most this. */
  readonly goal?: number;
}

const WARM_UP = 3000;
const ROUNDS = 8000;
/** Defaults, schema and rules together. */
const GOAL_US = 100;
const SAMPLE = new URL('../../pkg/apis/batch/v1/cronjobs/testdata/realistic.json', import.meta.url);

export async function benchValidate(): Promise<readonly ValidateRow[]> {
  const kind = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX }).find(({ definition }) => definition.kind === 'CronJob');
  if (kind === undefined) throw new Error('there is no CronJob');
  const { strategy } = kind;
  const compiled = compileKind(kind);
  const { codec, fieldManager } = compiled;
  const { typeErrors } = compiled.validator;
  const rules = toRules(compiled);
  const ruleContext = { features: createFeatures(), timeZones: createTimeZones() };
  const pipeline = { kind, rules, fieldManager, admission: createAdmissionChain([]), ruleContext };
  const body = bodyOf();
  const decode = () => codec.decodeBody(body).object as KubernetesObject;
  const write = (object: KubernetesObject): CreateWrite => ({
    operation: 'CREATE',
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    object,
    dryRun: false,
    signal: new AbortController().signal,
    nowMs: Date.parse('2026-11-20T10:11:12Z'),
    uid: '4f3a2c1b-0000-4000-8000-000000000000',
    warn: () => undefined,
  });
  const stored = await prepareWrite(pipeline, write(decode()));
  const named = { ...stored.metadata };

  const applyDefaults = (object: KubernetesObject) => strategy.applyDefaults?.(object) ?? object;
  const schema = (object: KubernetesObject) => typeErrors(object).length + rules.schema(object).length;
  const metadata = (object: KubernetesObject) => rules.metaOnCreate(object).length;
  const own = (object: KubernetesObject) => strategy.validateCreate?.(object, ruleContext).length ?? 0;
  const warnings = (object: KubernetesObject) => strategy.warnOnCreate?.(object).length ?? 0;

  const times = new Map<string, number[]>();
  let round = 0;
  /** Runs `part` and keeps its time; what it found wrong would be a mistake of the bench. */
  const timed = <T>(name: string, part: () => T): T => {
    const begun = performance.now();
    const result = part();
    const us = (performance.now() - begun) * 1000;
    if (round >= WARM_UP) (times.get(name) ?? times.set(name, []).get(name))?.push(us);
    return result;
  };
  const expectNone = (causes: number): void => {
    if (causes > 0) throw new Error(`the sample breaks ${causes} rules`);
  };
  for (; round < WARM_UP + ROUNDS; round++) {
    const object = timed('decode', decode);
    const filled = timed('defaults', () => applyDefaults(object));
    expectNone(timed('schema', () => schema(filled)));
    const stamped = { ...filled, metadata: named };
    expectNone(timed('rules of metadata', () => metadata(stamped)));
    expectNone(timed('rules of the kind', () => own(stamped)));
    timed('warnings', () => warnings(stamped));
    timed('encode', () => codec.encode(stored));
    const whole = decode();
    timed('validation: defaults, schema, rules', () => {
      const both = applyDefaults(whole);
      return schema(both) + metadata({ ...both, metadata: named }) + own(both);
    });
  }
  return [...times].map(([name, all]) => ({
    name,
    value: median(all),
    unit: 'µs',
    ...(name.startsWith('validation') ? { goal: GOAL_US } : {}),
  }));
}

/** As a client sends it: without what the server fills in, and compact. */
function bodyOf(): Buffer {
  const { status: _, ...sample } = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Record<string, unknown>;
  return Buffer.from(JSON.stringify(sample));
}

if (import.meta.main) {
  for (const { name, value, goal } of await benchValidate()) {
    console.log(`${name.padEnd(40)} ${value.toFixed(1)} µs${goal === undefined ? '' : ` (goal: at most ${goal})`}`);
  }
}
