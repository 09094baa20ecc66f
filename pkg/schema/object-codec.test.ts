import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindSampleText, SAMPLE_NAMES } from '../../test/support/kind-samples.ts';
import { compactText } from '../apimachinery/json/raw-json.ts';
import { StatusError } from '../apimachinery/status/status-error.ts';
import { createKinds } from '../apis/kinds.gen.ts';
import { createObjectCodec } from './object-codec.ts';

const kinds = createKinds({ groupSuffix: 'k8s.io' });
const kindOf = (kind: string) => {
  const found = kinds.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
};
const codecOf = (kind: string) => createObjectCodec(kindOf(kind).shape);

const vectors = path.join(import.meta.dirname, '../../test/vectors');
const read = (name: string) => readFileSync(path.join(vectors, name), 'utf8');
const ofGo = globSync('samples/*.json', { cwd: vectors }).sort();

/** Without the resourceVersion of the object itself. */
const expectedBytes = (sample: string) =>
  compactText(sample).replace(/("metadata":\{(?:"[a-zA-Z]+":"[^"]*",)*?)"resourceVersion":"[^"]*",/, '$1');

describe('ObjectCodec', () => {
  it.each(ofGo)('writes %s as Go does', (file) => {
    const sample = read(file);
    const codec = codecOf((JSON.parse(sample) as { readonly kind: string }).kind);
    const { object, findings, causes } = codec.decodeBody(Buffer.from(sample));
    expect(findings).toEqual([]);
    expect(causes).toEqual([]);
    const written = codec.encode(object);
    expect(written.toString()).toBe(expectedBytes(sample));
    expect(codec.encode(codec.parseStored(written)).equals(written)).toBe(true);
  });

  it('has samples of Go', () => expect(ofGo).toContain('samples/cronjob.full.json'));

  for (const { definition } of kinds) {
    for (const name of SAMPLE_NAMES) {
      it(`writes the ${name} ${definition.kind} the same after reading what it wrote`, () => {
        const codec = codecOf(definition.kind);
        const sent = codec.decodeBody(Buffer.from(compactText(kindSampleText(definition.kind, name))));
        const written = codec.encode(sent.object);
        expect(codec.encode(codec.parseStored(written)).toString()).toBe(written.toString());
      });
    }
  }
});

const cronJob = (metadata: string, spec = '{}') =>
  Buffer.from(`{"kind":"CronJob","apiVersion":"batch/v1","metadata":${metadata},"spec":${spec}}`);
const rewritten = (body: Buffer, kind = 'CronJob') => {
  const codec = codecOf(kind);
  return codec.encode(codec.decodeBody(body).object).toString();
};

describe('canonical bytes', () => {
  it('start with kind, apiVersion and metadata, whatever the order of the body', () => {
    const body = Buffer.from('{"spec":{},"metadata":{"name":"a"},"apiVersion":"batch/v1","kind":"CronJob"}');
    expect(rewritten(body)).toMatch(/^\{"kind":"CronJob","apiVersion":"batch\/v1","metadata":\{"name":"a"\},"spec":/);
  });

  it('omit the resourceVersion of the object, but not others', () => {
    const body = Buffer.from('{"metadata":{"name":"a","resourceVersion":"5"},"status":{"active":[{"name":"j","resourceVersion":"6"}]}}');
    expect(rewritten(body)).toContain('"metadata":{"name":"a"},');
    expect(rewritten(body)).toContain('"active":[{"name":"j","resourceVersion":"6"}]');
  });

  it('escape as Go does', () => {
    expect(rewritten(cronJob('{"name":"a","annotations":{"b":"<&>\\u2028\\u2029\\u0001\\b\\f\\n\\r\\t\\u007f\\"\\\\é😀"}}'))).toContain(
      '"annotations":{"b":"\\u003c\\u0026\\u003e\\u2028\\u2029\\u0001\\b\\f\\n\\r\\t\u007f\\"\\\\é😀"}',
    );
  });

  it('have map keys sorted by bytes', () => {
    expect(rewritten(cronJob('{"labels":{"😀":"1","\uffee":"2","b":"3","10":"4","9":"5","B":"6"}}'))).toContain(
      '"labels":{"10":"4","9":"5","B":"6","b":"3","\uffee":"2","😀":"1"}',
    );
  });

  it('contain canonical times and quantities', () => {
    expect(rewritten(cronJob('{"creationTimestamp":"2026-03-14T15:09:26.5+02:00"}'))).toContain(
      '"creationTimestamp":"2026-03-14T13:09:26Z"',
    );
    expect(rewritten(cronJob('{"creationTimestamp":"0001-01-01T00:00:00Z"}'))).toContain('"metadata":{}');
    const event = Buffer.from('{"eventTime":"2026-03-14T15:09:26.535897+02:00","deprecatedLastTimestamp":null}');
    expect(rewritten(event, 'Event')).toContain('"eventTime":"2026-03-14T13:09:26.535897Z"');
    const container = '{"name":"c","resources":{"limits":{"memory":" 0.5Gi ","cpu":1,"x":null}}}';
    expect(rewritten(cronJob('{}', `{"jobTemplate":{"spec":{"template":{"spec":{"containers":[${container}]}}}}}`))).toContain(
      '"resources":{"limits":{"cpu":"1","memory":"512Mi","x":"0"}}',
    );
  });

  it('distinguish an empty string behind a pointer from an absent one', () => {
    expect(rewritten(cronJob('{}', '{"timeZone":"","concurrencyPolicy":"","suspend":false}'))).toContain(
      '"spec":{"schedule":"","timeZone":"","suspend":false,"job',
    );
  });

  it('show an empty list that is never omitted as Kubernetes reads it from its store, unless nothing is stored', () => {
    const { shape } = kindOf('CronJob');
    const object = {
      spec: { jobTemplate: { spec: { podFailurePolicy: { rules: [] }, template: { spec: { containers: [], volumes: [] } } } } },
    };
    const written = (options: { keepsEmptyLists?: boolean }) => createObjectCodec(shape, options).encode(object).toString();
    expect(written({})).toContain('"podFailurePolicy":{"rules":null},"template":{"metadata":{},"spec":{"containers":null}}');
    expect(written({ keepsEmptyLists: true })).toContain(
      '"podFailurePolicy":{"rules":[]},"template":{"metadata":{},"spec":{"containers":[]}}',
    );
  });

  it('keep 64-bit integers', () => {
    expect(rewritten(cronJob('{}', '{"startingDeadlineSeconds":9223372036854775807}'))).toContain(
      '"startingDeadlineSeconds":9223372036854775807,',
    );
  });

  it('keep raw data literally', () => {
    const data = '{"z":1.0,"a":[-0,1e2,12345678901234567890],"<":"\\u003c&\\ud800"}';
    expect(rewritten(Buffer.from(`{"data":${data.replaceAll(',', ' , ')}}`), 'ControllerRevision')).toContain(
      `"data":${data},"revision":0`,
    );
  });

  it('contain __proto__ as an ordinary label', () => {
    expect(rewritten(cronJob('{"labels":{"__proto__":"x","constructor":"y"}}'))).toContain('"labels":{"__proto__":"x","constructor":"y"}');
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  it('fail early for objects too large to store', () => {
    let read = 0;
    const condition = {
      get type() {
        read++;
        return '';
      },
    };
    const conditions = Array<typeof condition>(1_000_000).fill(condition);
    const object = { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1', metadata: {}, status: { conditions } };
    expect(() => codecOf('PodDisruptionBudget').encode(object)).toThrow('is larger than the limit of 1572864 bytes');
    // The whole object would be 78 MB and take a second.
    expect(read).toBeLessThan(100_000);
    const labels = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`label-${index}`, '']));
    expect(() => codecOf('CronJob').encode({ kind: 'CronJob', apiVersion: 'batch/v1', metadata: { labels } })).toThrow('is larger than');
  });

  it('keep an invalid time for the validators', () => {
    const { object } = codecOf('Event').decodeBody(Buffer.from('{"eventTime":"2026-03-14T15:09:26Z"}'));
    expect(object).toEqual({ eventTime: '2026-03-14T15:09:26Z' });
  });

  it.each(['[]', '"x"', '5', '5.5', 'true'])('are never made of %s', (body) => {
    expect(() => codecOf('CronJob').decodeBody(Buffer.from(body))).toThrow('must be a JSON object');
  });
});

describe('decoding of malicious bodies', () => {
  it('throws only StatusErrors, and the result can be encoded and decoded again', () => {
    const body = read('samples/cronjob.full.json');
    const piece = fc.constantFrom(
      'null',
      '{}',
      '[]',
      '"x"',
      '5.0',
      '{"__proto__":{"a":1}}',
      '1e999',
      '"\\ud800"',
      ',',
      '}',
      '12345678901234567890123',
    );
    const codec = codecOf('CronJob');
    const values = [...body.matchAll(/"[^"]*"(?!:)|\d+|\{|\}/g)].map(({ index, 0: { length } }) => ({ index, length }));
    fc.assert(
      fc.property(fc.nat({ max: values.length - 1 }), piece, (chosen, put) => {
        const { index, length } = values[chosen] ?? { index: 0, length: 0 };
        try {
          const { object } = codec.decodeBody(Buffer.from(body.slice(0, index) + put + body.slice(index + length)));
          const written = codec.encode(object);
          expect(codec.encode(codec.parseStored(written)).equals(written)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
        }
      }),
      { numRuns: 300 },
    );
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });
});
