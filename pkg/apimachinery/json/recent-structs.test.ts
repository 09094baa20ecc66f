import { describe, expect, it } from '@jest/globals';
import type { JsonShape, ObjectForm } from './json-shape.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import { RecentStructs } from './recent-structs.ts';

const TEXT: JsonShape = { form: 'any', zero: '' };
const INTEGER: JsonShape = { form: 'integer', zero: 0 };

function structOf(fields: Readonly<Record<string, JsonShape>>): ObjectForm {
  return {
    form: 'object',
    fields: new Map(Object.entries(fields).map(([name, shape], index) => [name, { name, index, shape }])),
    zero: {},
  };
}

const INNER = structOf({ note: TEXT, n: INTEGER });
const SPEC = structOf({ note: TEXT, n: INTEGER, inner: INNER });
const SHAPE = structOf({ kind: TEXT, metadata: SPEC, spec: SPEC, status: SPEC });

const LONG = 'x'.repeat(200);
const spec = (n: number) => `{"note":"${LONG}","n":${n},"inner":{"n":${n + 1}}}`;

function reader(unique?: readonly string[]) {
  const recent = new RecentStructs(unique);
  return (text: string) => parseJson(Buffer.from(text), SHAPE, 'values', recent);
}
const specOf = ({ value }: ParsedJson) => (value as { readonly spec?: unknown }).spec;
const alone = (text: string) => parseJson(Buffer.from(text), SHAPE);

describe('a struct with the text of one that was read lately', () => {
  it('is the same value, with what is behind it read as ever', () => {
    const read = reader();
    const first = read(`{"spec":${spec(1)}}`);
    const text = `{"kind":"K","metadata":{"n":5}, "spec":${spec(1)},"status":{"n":3}}`;
    const second = read(text);
    expect(second.value).toEqual(alone(text).value);
    expect(specOf(second)).toBe(specOf(first));
  });

  it('is only found in its own field', () => {
    const read = reader();
    const first = read(`{"spec":${spec(1)}}`);
    const { value } = read(`{"status":${spec(1)}}`) as unknown as { readonly value: { readonly status: unknown } };
    expect(value.status).toEqual(specOf(first));
    expect(value.status).not.toBe(specOf(first));
  });

  it('is another value as soon as one character of it is', () => {
    const read = reader();
    for (const n of [1, 11, 2, 1]) expect(read(`{"spec":${spec(n)}}`).value).toEqual(alone(`{"spec":${spec(n)}}`).value);
  });
});

describe('what is not taken from before', () => {
  it.each(['{"note":"LONG","n":1,"strange":2}', '{"note":"LONG","n":1,"n":2}', '{"note":"LONG","n":1.0}'])(
    'is a struct in which something was found: %s',
    (template) => {
      const read = reader();
      const text = `{"spec":${template.replace('LONG', LONG)}}`;
      const [first, second] = [read(text), read(text)];
      expect(first.findings.length + first.causes.length).toBe(1);
      expect([second.findings, second.causes]).toEqual([first.findings, first.causes]);
    },
  );

  it('is a struct after more findings than the limit', () => {
    const read = reader();
    const strange = Array.from({ length: 1200 }, (_, at) => `"strange${at}":1`).join(',');
    read(`{${strange},"spec":{"note":"${LONG}","other":1}}`);
    expect(read(`{"spec":{"note":"${LONG}","other":1}}`).findings).toEqual([{ kind: 'unknown', path: 'spec.other' }]);
  });

  it('is one that is different in each object, one that is short, and one in a large body', () => {
    const text = `{"spec":${spec(1)}}`;
    const unique = reader(['spec']);
    expect(specOf(unique(text))).not.toBe(specOf(unique(text)));
    const read = reader();
    expect(specOf(read('{"spec":{"n":1}}'))).not.toBe(specOf(read('{"spec":{"n":1}}')));
    const large = `{"kind":"${'k'.repeat(33_000)}","spec":${spec(1)}}`;
    expect(specOf(read(large))).not.toBe(specOf(read(large)));
  });

  it('is one that eight others came after', () => {
    const read = reader();
    const first = specOf(read(`{"spec":${spec(1)}}`));
    for (let n = 2; n <= 8; n++) read(`{"spec":${spec(n)}}`);
    expect(specOf(read(`{"spec":${spec(1)}}`))).toBe(first);
    for (let n = 2; n <= 9; n++) read(`{"spec":${spec(n)}}`);
    expect(specOf(read(`{"spec":${spec(1)}}`))).not.toBe(first);
  });
});
