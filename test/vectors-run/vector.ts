/** One case of a vector file: its members as values, and as the tokens that stand in the file. */
import { type JsonShape } from '../../pkg/apimachinery/json/json-shape.ts';
import type { JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { decodeRaw, parseJson } from '../../pkg/apimachinery/json/parse-json.ts';
import { RawJson } from '../../pkg/apimachinery/json/raw-json.ts';

export interface Vector {
  readonly name: string;
  /** Every member, `name` included. Integers that a double does not hold are `bigint`. */
  readonly members: Readonly<Record<string, JsonValue>>;
  /** The same members as they are written: `1e2` and `100` differ. */
  readonly raw: Readonly<Record<string, RawJson>>;
}

/** Checks one vector; throws what jest's `expect` throws when it does not hold. */
export type Runner = (vector: Vector) => void | Promise<void>;

const NULL = new RawJson(Buffer.from('null'));
const RAW_MEMBERS: JsonShape = { form: 'map', values: { form: 'raw', zero: NULL }, zero: null };
const FILE: JsonShape = { form: 'array', items: RAW_MEMBERS, zero: null };

/** Throws one sentence when `bytes` are not a list of objects that each have a `name`, or an empty list. */
export function parseVectors(bytes: Buffer): readonly Vector[] {
  const { value } = parseJson(bytes, FILE);
  if (!Array.isArray(value) || value.length === 0) throw new Error('A file of vectors is a list with at least one of them.');
  return (value as readonly JsonValue[]).map((each, index) => {
    if (typeof each !== 'object' || each === null || each instanceof RawJson || Array.isArray(each)) {
      throw new Error(`Vector ${index} is not an object.`);
    }
    const raw = each as Readonly<Record<string, RawJson>>;
    const members = Object.fromEntries(Object.entries(raw).map(([member, token]) => [member, decodeRaw(token)]));
    const { name } = members;
    if (typeof name !== 'string') throw new Error(`Vector ${index} has no name.`);
    return { name, members, raw };
  });
}

export type MembersRunner<T> = (members: T, raw: Vector['raw']) => void | Promise<void>;

/**
 * A runner of vectors that have the members `T`. The file is not checked against it: what is missing fails the case.
 */
export const runnerOf =
  <T>(check: MembersRunner<T>): Runner =>
  ({ members, raw }) =>
    check(members as T, raw);

/** For a vector whose inputs are none that its topic has. */
export const unknownInput = (): Error => new Error('This vector has none of the inputs that its topic is about.');
