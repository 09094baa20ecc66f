import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { MessageReader } from '../../schema/protobuf/message-reader.ts';
import { toDocumentMessage } from './v2-message.ts';

const document = JSON.parse(readFileSync(new URL('../../../schemas/openapi/v2.json', import.meta.url), 'utf8')) as JsonObject;
const NOTHING: JsonObject = { swagger: '2.0', info: { title: 't', version: 'v' }, paths: {}, definitions: {} };

/** The length-delimited fields with this number. */
function fields(message: Buffer, number: number): Buffer[] {
  const from = new MessageReader(message);
  const found: Buffer[] = [];
  while (from.hasMore) {
    const tag = from.tag();
    if (tag === number * 8 + 2) found.push(from.bytes());
    else from.skip(tag);
  }
  return found;
}
const field = (message: Buffer, ...numbers: readonly number[]): Buffer =>
  numbers.reduce((inside, number) => fields(inside, number)[0] ?? Buffer.alloc(0), message);
/** Name to value of the map in the field `number`. */
const entries = (message: Buffer, number = 1): Map<string, Buffer> =>
  new Map(fields(message, number).map((entry) => [field(entry, 1).toString(), field(entry, 2)]));

const bytesOf = (parts: Readonly<Record<string, JsonValue>>): string => toDocumentMessage({ ...NOTHING, ...parts }).toString('hex');

/** The schema of a definition, as clients read it. */
function schemaOf(message: Buffer): JsonObject {
  const texts = (number: number) => fields(message, number).map(String);
  const [reference] = texts(1);
  const [description] = texts(4);
  const [type] = texts(22).map((item) => field(Buffer.from(item), 1).toString());
  const [items] = fields(message, 23).map((item) => schemaOf(field(item, 1)));
  const [values] = fields(message, 21).map((item) => schemaOf(field(item, 1)));
  const properties = [...entries(field(message, 25))].map(([name, inside]) => [name, schemaOf(inside)] as const);
  const extensions = [...entries(message, 31)].map(([name, value]) => [name, JSON.parse(field(value, 2).toString()) as JsonValue] as const);
  return {
    ...(reference === undefined ? {} : { $ref: reference }),
    ...(description === undefined ? {} : { description }),
    ...(type === undefined ? {} : { type }),
    ...(items === undefined ? {} : { items }),
    ...(values === undefined ? {} : { additionalProperties: values }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(texts(2)[0] === undefined ? {} : { format: texts(2)[0] }),
    ...(texts(19).length === 0 ? {} : { required: texts(19) }),
    ...(fields(message, 20).length === 0
      ? {}
      : { enum: fields(message, 20).map((value) => JSON.parse(field(value, 2).toString()) as JsonValue) }),
    ...Object.fromEntries(extensions),
  };
}

describe('The OpenAPI v2 document as a message', () => {
  it('has every definition, whole', () => {
    const definitions = entries(field(toDocumentMessage(document), 9));
    const read = Object.fromEntries([...definitions].map(([name, schema]) => [name, schemaOf(schema)]));
    expect(read).toEqual(document['definitions']);
  });

  it('has every path with its operations', () => {
    const paths = entries(field(toDocumentMessage(document), 8), 2);
    expect([...paths.keys()]).toEqual(Object.keys(document['paths'] ?? {}));
    const item = paths.get('/apis/batch/v1/namespaces/{namespace}/cronjobs') ?? Buffer.alloc(0);
    expect([field(item, 2, 5).toString(), field(item, 4, 5).toString()]).toEqual([
      'listBatchV1NamespacedCronJob',
      'createBatchV1NamespacedCronJob',
    ]);
    expect(JSON.parse(field(entries(field(item, 4), 13).get('x-kubernetes-group-version-kind') ?? Buffer.alloc(0), 2).toString())).toEqual({
      group: 'batch',
      version: 'v1',
      kind: 'CronJob',
    });
  });

  it('shows shared parameters in the operation itself, where old clients look for dryRun', () => {
    const item = entries(field(toDocumentMessage(document), 8), 2).get('/apis/batch/v1/namespaces/{namespace}/cronjobs/{name}');
    const parameters = fields(field(item ?? Buffer.alloc(0), 8), 8);
    expect(parameters.map((parameter) => field(parameter, 1, 2, 3, 4).toString())).toContain('dryRun');
    expect(parameters.map((parameter) => field(parameter, 2).byteLength)).toEqual(parameters.map(() => 0));
  });

  it.each<[string, Readonly<Record<string, JsonValue>>, string]>([
    ['a name and a schema', { definitions: { A: { type: 'object' } } }, '4a12 0a10 0a0141 120b b20108 0a06 6f626a656374'],
    ['an extension as YAML', { definitions: { A: { 'x-a': [1] } } }, 'fa010c 0a03782d61 1205 12035b315d'],
    ['security', { security: [{ B: [] }] }, '6207 0a05 0a0142 1200'],
  ])('writes %s', (_, parts, hex) => {
    expect(bytesOf(parts)).toContain(hex.replaceAll(' ', ''));
  });

  it.each<Readonly<Record<string, JsonValue>>>([
    { basePath: '/' },
    { definitions: { A: { maximum: 1 } } },
    { definitions: { A: { type: ['string'] } } },
    { parameters: { a: { in: 'header', name: 'a' } } },
    { paths: { '/': { parameters: [{ $ref: '#/parameters/none' }] } } },
  ])('refuses what has no place in it: %j', (parts) => {
    expect(() => toDocumentMessage({ ...NOTHING, ...parts })).toThrow();
  });
});
