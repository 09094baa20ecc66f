import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import type { Kind } from '../../apis/kind.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { createMessageCodec } from '../../schema/protobuf/message-codec.ts';
import { toRevision } from '../../storage/backend.ts';
import { kindSample, SAMPLE_NAMES } from '../../../test/support/kind-samples.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { createMetaMessages } from './meta-messages.ts';
import type { ResourceRepresentation } from './resource-representation.ts';
import type { ItemTemplate } from '../../watchcache/representations/representation.ts';
import { createResourceRepresentations, type RepresentationRequest } from './resource-representations.ts';

const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });
const kindOf = (name: string): Kind => {
  const found = kinds.find(({ definition }) => definition.kind === name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
};
const cronJob = kindOf('CronJob');

const NOW = Date.UTC(2026, 2, 1, 12);

const representationsOf = (kind: Kind, now = () => NOW) => {
  const codec = createObjectCodec(kind.shape);
  return createResourceRepresentations({
    kind,
    parse: (json) => codec.parseStored(json),
    message: createMessageCodec(kind.shape),
    meta: createMetaMessages(),
    now,
  });
};
const table = (kind: Kind, request: Partial<RepresentationRequest> = {}, now = () => NOW): ResourceRepresentation =>
  representationsOf(kind, now).find({ as: { kind: 'Table', version: 'v1' }, shows: 'list', includeObject: undefined, ...request });

/** Canonical, without resourceVersion. */
const canonical = (kind: Kind, object: Readonly<Record<string, unknown>>): Buffer =>
  createObjectCodec(kind.shape).encode(
    createObjectCodec(kind.shape).decodeBody(
      Buffer.from(JSON.stringify({ ...object, kind: kind.definition.kind, apiVersion: kind.definition.apiVersion })),
    ).object,
  );
const listed = (kind: Kind, json: Buffer): Buffer => new ObjectEncoding(kind.definition).toItem(json, 7);
const parsed = (bytes: Buffer): unknown => JSON.parse(bytes.toString());

function templateOf({ items }: ResourceRepresentation, itemBytes: Buffer): ItemTemplate {
  if (items.isContextFree === true) throw new Error('a representation for JSON was expected');
  return items.template(itemBytes);
}

/** The representation of each object in a list. */
const rowTexts = (representation: ResourceRepresentation, objects: readonly Buffer[], at = NOW): string[] =>
  objects.map((itemBytes) => {
    const template = templateOf(representation, itemBytes);
    const target = Buffer.alloc(template.maxBytes + 3, 'x');
    const end = template.writeTo(target, 3, itemBytes, at);
    expect(end).toBeLessThanOrEqual(template.maxBytes + 3);
    return target.toString('utf8', 3, end);
  });
const parsedRows = (...args: Parameters<typeof rowTexts>): unknown[] => rowTexts(...args).map((text): unknown => JSON.parse(text));

const simple = {
  metadata: { name: 'nightly', namespace: 'a', creationTimestamp: '2026-03-01T11:58:30Z', annotations: { note: '"}} \\" ü 🚢 {' } },
  spec: {
    schedule: '0 3 * * *',
    suspend: false,
    jobTemplate: { spec: { template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/ü:1' }] } } } },
  },
  status: { lastScheduleTime: '2026-03-01T03:00:00Z' },
};
const json = canonical(cronJob, simple);
const metadata = { ...simple.metadata, resourceVersion: '7' };
const CELLS = ['nightly', '0 3 * * *', '<none>', 'False', 0, '9h', '90s', 'main', 'registry.example.com/ü:1', '<none>'];

describe('A row of a table', () => {
  it('has the cells, and the metadata as it is stored', () => {
    const [row] = parsedRows(table(cronJob), [listed(cronJob, json)]);
    expect(row).toEqual({ cells: CELLS, object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata } });
  });

  it.each([
    ['None', null],
    ['Metadata', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }],
    ['', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }],
    ['Object', { ...(parsed(json) as object), metadata }],
  ])('with includeObject=%s carries what that says', (includeObject, object) => {
    expect(parsedRows(table(cronJob, { includeObject }), [listed(cronJob, json)])).toEqual([{ cells: CELLS, object }]);
  });

  it('names the version that was asked for', () => {
    const representation = table(cronJob, { as: { kind: 'Table', version: 'v1beta1' } });
    expect(parsedRows(representation, [listed(cronJob, json)])).toMatchObject([{ object: { apiVersion: 'meta.k8s.io/v1beta1' } }]);
    expect(representation.listHead({ revision: toRevision(9) }).toString()).toContain(
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1beta1","metadata":{"resourceVersion":"9"},',
    );
  });

  it('shows its ages as of the time it is written, and says how long they hold', () => {
    const itemBytes = listed(cronJob, json);
    const row = templateOf(table(cronJob), itemBytes);
    expect(row.validUntil(NOW)).toBe(NOW + 1000);
    const inAnHour = NOW + 3_600_000;
    expect(parsedRows(table(cronJob), [itemBytes], inAnHour)).toMatchObject([{ cells: expect.arrayContaining(['61m', '10h']) as unknown }]);
    expect(row.validUntil(inAnHour)).toBe(inAnHour + 30_000);
  });

  it('without an age holds for ever', () => {
    const itemBytes = listed(cronJob, canonical(cronJob, { metadata: { name: 'x' } }));
    expect(templateOf(table(cronJob), itemBytes).validUntil(NOW)).toBe(Infinity);
  });

  it('of an object that cannot be read has empty cells', () => {
    const broken = Buffer.from('{"metadata":{"resourceVersion":"7","name":"x"},"spec":{"schedule":}}');
    expect(parsedRows(table(cronJob), [broken])).toEqual([
      {
        cells: ['', '', '<none>', '<unset>', 0, '<none>', '<unknown>', '', '', '<none>'],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '7', name: 'x' } },
      },
    ]);
  });

  it('shows a 64-bit number digit for digit, as a number', () => {
    const kind = kindOf('ControllerRevision');
    const revision = Buffer.from(
      canonical(kind, { metadata: { name: 'web' }, data: {}, revision: 1 })
        .toString()
        .replace('"revision":1', '"revision":9007199254740993'),
    );
    const itemBytes = listed(kind, revision);
    expect(rowTexts(table(kind), [itemBytes])[0]).toContain('["web","<none>",9007199254740993,"<unknown>"]');
  });

  it('cuts out the metadata, whatever stands in it', () => {
    const representation = representationsOf(cronJob).find({
      as: { kind: 'PartialObjectMetadataList', version: 'v1' },
      shows: 'list',
      includeObject: undefined,
    });
    const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '}', '{"', '\\"}', '}}}', '\u0000'));
    fc.assert(
      fc.property(fc.dictionary(text, text), (annotations) => {
        const object = { metadata: { resourceVersion: '7', name: 'x', annotations }, spec: { a: 1 } };
        // Compared as text, because JSON.parse of this runtime confuses `\"` and `\\` in names that it has seen at the
        // same place before.
        expect(rowTexts(representation, [Buffer.from(JSON.stringify(object))])).toEqual([
          JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }),
        ]);
      }),
    );
  });
});

describe.each(kinds.map((kind) => [kind.definition.kind, kind] as const))('The table of every sample of %s', (_, kind) => {
  const samples = SAMPLE_NAMES.map((name) => canonical(kind, kindSample(kind.definition.kind, name)));

  it.each(['None', 'Metadata', 'Object'])('with includeObject=%s is JSON with as many cells as columns', (includeObject) => {
    const representation = table(kind, { includeObject });
    const head = representation.listHead({ revision: toRevision(9), continueToken: 'c', remainingItemCount: 3 }).toString();
    const rows = parsedRows(
      representation,
      samples.map((sample) => listed(kind, sample)),
    );
    const { columnDefinitions, ...rest } = JSON.parse(head + representation.listTail.toString()) as { columnDefinitions: object[] };
    expect(rest).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9', continue: 'c', remainingItemCount: 3 },
      rows: [],
    });
    for (const column of columnDefinitions) expect(Object.keys(column)).toEqual(['name', 'type', 'format', 'description', 'priority']);
    for (const row of rows) expect((row as { cells: unknown[] }).cells).toHaveLength(columnDefinitions.length);
  });
});

describe('One object', () => {
  const find = (as: RepresentationRequest['as']) => representationsOf(cronJob).find({ as, shows: 'object', includeObject: undefined });

  it('as a table has its own resourceVersion and the column definitions', () => {
    expect(
      parsed(find({ kind: 'Table', version: 'v1' }).toObject(new ObjectEncoding(cronJob.definition).singleObjectOfStored(json, 7))),
    ).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '7' },
      columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', priority: 0 }, ...new Array<object>(9).fill({})],
      rows: [{ cells: CELLS, object: { metadata } }],
    });
  });

  it('that was never stored has no resourceVersion', () => {
    const { resourceVersion: _, ...own } = metadata;
    expect(parsed(find({ kind: 'Table', version: 'v1' }).toObject([json]))).toMatchObject({
      metadata: {},
      rows: [{ object: { metadata: own } }],
    });
    expect(parsed(find({ kind: 'PartialObjectMetadata', version: 'v1' }).toObject([json]))).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: own,
    });
  });

  it('leaves the bytes it was made from as they were', () => {
    const pieces = new ObjectEncoding(cronJob.definition).singleObjectOfStored(json, 7).map((piece) => Buffer.from(piece));
    const before = Buffer.concat(pieces).toString();
    find({ kind: 'Table', version: 'v1' }).toObject(pieces);
    find({ kind: 'PartialObjectMetadata', version: 'v1beta1' }).toObject(pieces);
    expect(Buffer.concat(pieces).toString()).toBe(before);
  });
});

describe('A watch as Table', () => {
  const event = (representation: ResourceRepresentation): Buffer =>
    Buffer.from(`{"type":"ADDED","object":${representation.items.eventObject(listed(cronJob, json), NOW).bytes.toString()}}\n`);
  const lines = (writer: MemoryResponseWriter) => writer.lines() as { object: { kind: string; columnDefinitions?: object[] | null } }[];

  it('has column definitions in its first event only', () => {
    const representation = table(cronJob);
    const writer = new MemoryResponseWriter();
    const stream = representation.eventWriter(writer);
    stream.write(Buffer.concat([event(representation), event(representation)]));
    stream.write(event(representation));
    expect(lines(writer).map(({ object }) => object.columnDefinitions?.length ?? null)).toEqual([10, null, null]);
  });

  it('leaves an error as it is', () => {
    const writer = new MemoryResponseWriter();
    const error = '{"type":"ERROR","object":{"kind":"Status"}}\n';
    table(cronJob).eventWriter(writer).write(Buffer.from(error));
    expect(writer.text()).toBe(error);
  });

  it('shows in each event the resourceVersion of its object', () => {
    const representation = table(cronJob);
    const writer = new MemoryResponseWriter();
    writer.write(event(representation));
    expect(lines(writer)).toMatchObject([{ object: { kind: 'Table', metadata: { resourceVersion: '7' }, rows: [{ cells: CELLS }] } }]);
  });

  it('says without objects too that the initial events are over', () => {
    const metadata = { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } };
    const { items } = table(cronJob, { includeObject: 'None' });
    const shown = (of: object) => parsed(items.eventObject(Buffer.from(JSON.stringify({ metadata: of })), NOW).bytes);
    expect(shown(metadata)).toMatchObject({ rows: [{ object: { kind: 'PartialObjectMetadata', metadata } }] });
    expect(shown({ resourceVersion: '7' })).toMatchObject({ rows: [{ object: null }] });
    expect(shown({ ...metadata, name: 'x' })).toMatchObject({ rows: [{ object: null }] });
  });

  it('shows how its reader is doing', async () => {
    const writer = new MemoryResponseWriter();
    const stream: ResponseWriter = table(cronJob).eventWriter(writer);
    writer.pause();
    expect(stream.write(Buffer.from('x'))).toBe(false);
    expect(stream.queuedBytes).toBe(1);
    writer.resume();
    await stream.drained();
    writer.close();
    expect(stream.closed).toBe(true);
  });
});

describe('A representation', () => {
  const refusal = (request: Partial<RepresentationRequest>): StatusError => {
    try {
      representationsOf(cronJob).find({ as: { kind: 'Table', version: 'v1' }, shows: 'list', includeObject: undefined, ...request });
    } catch (error) {
      if (error instanceof StatusError) return error;
    }
    throw new Error('it was not refused');
  };

  it('is the same object for the same request', () => {
    const representations = representationsOf(cronJob);
    const request: RepresentationRequest = { as: { kind: 'Table', version: 'v1' }, shows: 'list', includeObject: undefined };
    expect(representations.find(request)).toBe(representations.find({ ...request, shows: 'object', includeObject: 'Metadata' }));
    const ids = [request, { ...request, includeObject: 'None' }, { ...request, as: { kind: 'Table', version: 'v1beta1' } } as const].map(
      (each) => representations.find(each).items.id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('refuses an includeObject that nobody knows', () => {
    const { code, message } = refusal({ includeObject: 'All' }).toStatus();
    expect(code).toBe(400);
    expect(message).toBe(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty",
    );
  });

  it.each([
    ['PartialObjectMetadata', 'list', 'you requested PartialObjectMetadata, but the requested object is a list (*batch.CronJobList)'],
    [
      'PartialObjectMetadataList',
      'object',
      'you requested PartialObjectMetadataList, but the requested object is not a list (*batch.CronJob)',
    ],
  ] as const)('refuses %s of a %s', (kind, shows, expected) => {
    const { code, reason, message } = refusal({ as: { kind, version: 'v1' }, shows }).toStatus();
    expect([code, reason, message]).toEqual([406, 'NotAcceptable', expected]);
  });
});
