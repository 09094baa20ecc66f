import { describe, expect, it } from '@jest/globals';
import { ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import type { Kind } from '../../apis/kind.ts';
import { PartialObjectMetadataListShape, PartialObjectMetadataShape } from '../../apis/meta/v1/shapes.gen.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { parseEnvelope } from '../../schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../schema/protobuf/message-codec.ts';
import { toRevision } from '../../storage/backend.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { toKey } from '../../storage/keys.ts';
import { openWatchCache } from '../../watchcache/open-watch-cache.ts';
import { FakeBackend } from '../../../test/support/fake-backend.ts';
import { MemoryResponseWriter } from '../../../test/support/memory-response-writer.ts';
import { waitFor } from '../../../test/support/wait.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { WatchFrameReader } from '../../../test/support/watch-frame-reader.ts';
import { kindSampleText } from '../../../test/support/kind-samples.ts';
import { allShapes } from '../../../test/support/shapes.ts';
import type { ContextFreeRepresentation } from '../../watchcache/representations/representation.ts';
import { createMetaMessages } from './meta-messages.ts';
import type { ResourceRepresentation } from './resource-representation.ts';
import { createResourceRepresentations } from './resource-representations.ts';

const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });

/** A stored object with all fields, and the representations of its kind. */
function sampleOf(kind: Kind) {
  const { definition, shape } = kind;
  const codec = createObjectCodec(shape);
  const message = createMessageCodec(shape);
  const json = codec.encode(codec.decodeBody(Buffer.from(kindSampleText(definition.kind, 'full'))).object);
  const encoding = new ObjectEncoding(definition);
  const itemBytes = encoding.toItem(json, 7);
  const representations = createResourceRepresentations({
    kind,
    parse: (bytes) => codec.parseStored(bytes),
    message,
    meta: createMetaMessages(),
    now: () => 0,
  });
  return { codec, encoding, message, json, itemBytes, object: codec.parseStored(itemBytes), representations };
}

const [firstKind] = kinds;
if (firstKind === undefined) throw new Error('no kinds');
const first = sampleOf(firstKind);
const partialOf = (shows: 'list' | 'object'): ResourceRepresentation =>
  first.representations.find({
    as: { kind: shows === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata', version: 'v1' },
    inProtobuf: true,
    shows,
    includeObject: undefined,
  });

function bare({ items }: ResourceRepresentation): ContextFreeRepresentation {
  if (items.isContextFree !== true) throw new Error('a representation in protobuf was expected');
  return items;
}

/** Writes a list as the watch cache does. */
function listed(representation: ResourceRepresentation, objects: readonly Buffer[]): Buffer {
  const items = objects.map((itemBytes) => bare(representation).encodeItem(itemBytes));
  const head = representation.listHead({ revision: toRevision(9), continueToken: 'next', remainingItemCount: 3 });
  if (typeof head !== 'function') throw new Error('the head needs no length');
  const bytes = Buffer.concat(items);
  return Buffer.concat([head(bytes.byteLength), bytes, representation.listTail]);
}
const LIST_METADATA = { resourceVersion: '9', continue: 'next', remainingItemCount: 3 };

describe('Objects in protobuf', () => {
  it.each(kinds)('are what they are in JSON, alone and in events: $definition.kind', (kind) => {
    const { kind: name, apiVersion } = kind.definition;
    const { encoding, message, json, itemBytes, object, representations } = sampleOf(kind);
    const representation = representations.inProtobuf();
    const alone = representation.toObject(encoding.singleObjectOfStored(json, 7));
    expect(parseEnvelope(alone)).toMatchObject({ kind: name, apiVersion });
    expect(parseEnvelope(alone).raw).toEqual(message.encode(object));
    expect(bare(representation).singleObject(Buffer.from(bare(representation).encodeItem(itemBytes)))).toEqual(alone);
    expect(representation.items.eventObject(itemBytes, 0)).toEqual({ bytes: alone, validUntil: Infinity });
  });

  it.each(kinds)('are listed as the codec writes a list in one: $definition.listKind', async ({ ...kind }) => {
    const { kind: name, listKind, apiVersion } = kind.definition;
    const { itemBytes, object, representations } = sampleOf(kind);
    const listShape = (await allShapes()).get(kind.shape.name.replace(name, listKind));
    if (listShape === undefined) throw new Error(`no list of ${name}`);
    const envelope = parseEnvelope(listed(representations.inProtobuf(), [itemBytes, itemBytes]));
    expect(envelope).toMatchObject({ kind: listKind, apiVersion, contentType: '', contentEncoding: '' });
    expect(envelope.raw).toEqual(createMessageCodec(listShape).encode({ metadata: LIST_METADATA, items: [object, object] }));
    expect(parseEnvelope(listed(representations.inProtobuf(), [])).raw).toEqual(
      createMessageCodec(listShape).encode({ metadata: LIST_METADATA }),
    );
  });

  it('show their metadata alone', () => {
    const { metadata = {} } = first.object;
    const alone = parseEnvelope(partialOf('object').toObject(first.encoding.singleObjectOfStored(first.json, 7)));
    expect(alone).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
    expect(alone.raw).toEqual(createMessageCodec(PartialObjectMetadataShape).encode({ metadata }));
    const list = parseEnvelope(listed(partialOf('list'), [first.itemBytes]));
    expect(list).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(list.raw).toEqual(createMessageCodec(PartialObjectMetadataListShape).encode({ metadata: LIST_METADATA, items: [{ metadata }] }));
  });

  it('keep their metadata when the rest is damaged', () => {
    const damaged = Buffer.from('{"metadata":{"resourceVersion":"7","name":"x"},"spec":{"schedule":}}');
    const { raw } = parseEnvelope(first.representations.inProtobuf().items.eventObject(damaged, 0).bytes);
    expect(first.message.decode(raw)).toMatchObject({ metadata: { name: 'x', resourceVersion: '7' } });
    expect(() => bare(first.representations.inProtobuf()).encodeItem(Buffer.from('{"metadata":{"name":}}'))).not.toThrow();
  });

  it('are watched in frames, and so is the error that ends a watch', () => {
    const { items } = first.representations.inProtobuf();
    const { bytes } = items.eventObject(first.itemBytes, 0);
    const error = new StatusError('Expired', 'too old');
    const stream = [items.stream?.event('ADDED', bytes), items.stream?.event('ERROR', items.stream.error(error))];
    const frames = new WatchFrameReader().read(Buffer.concat(stream.filter((frame) => frame !== undefined)));
    expect(frames.map(({ type, sealed }) => [type, parseEnvelope(sealed).kind])).toEqual([
      ['ADDED', firstKind.definition.kind],
      ['ERROR', 'Status'],
    ]);
    expect(frames[0]?.sealed).toEqual(bytes);
  });

  it('are written into a message once for each revision, for single reads, lists and watches together', async () => {
    const { definition, shape } = firstKind;
    const expected = first.representations.inProtobuf().toObject(first.encoding.singleObjectOfStored(first.json, 2));
    let messages = 0;
    const message = createMessageCodec(shape);
    const counting = { encode: (object: JsonObject) => (messages++, message.encode(object)) };
    const representations = createResourceRepresentations({
      kind: firstKind,
      parse: (json) => first.codec.parseStored(json),
      message: counting,
      meta: createMetaMessages(),
      now: () => 0,
    });
    const representation = representations.inProtobuf();
    const backend = new FakeBackend();
    const prefix = toKey('/objects/');
    const keys = ['a', 'b', 'c'].map((name) => toKey(`/objects/default/${name}`));
    for (const key of keys) backend.put(key, first.json.toString());
    const readAttributes = () => ({ uid: 'u', labels: undefined, fields: undefined });
    const cached = {
      name: 'objects',
      resource: 'objects',
      group: '',
      prefix,
      namespaced: true,
      encoding: new ObjectEncoding(definition),
      readAttributes,
    };
    const cache = openWatchCache({ backend, resources: [cached], clock: systemClock, log: silentLog, initialEventsEnd: 'example.com/end' });
    const stop = new AbortController();
    try {
      await cache.filled();
      const resource = cache.resource('objects');
      const watches = [new MemoryResponseWriter(), new MemoryResponseWriter()];
      const request = {
        selection: {},
        from: resource.revision,
        initialEvents: true,
        bookmarks: false,
        signal: stop.signal,
        representation: representation.items,
      };
      for (const writer of watches) void resource.watch(request, writer);
      const frames = () => watches.map((writer) => new WatchFrameReader().read(writer.bytes()).length);
      await waitFor(() => frames().every((count) => count === 3), { what: 'the initial events', everyMs: 1 });
      const list = async (encoding: 'identity' | 'gzip') => {
        const frame = {
          head: representation.listHead({ revision: resource.revision }),
          tail: representation.listTail,
          encoding,
          representation: representation.items,
        };
        await resource.snapshot().page({ selection: {} }).writeTo(new MemoryResponseWriter(), frame);
      };
      const alone = () =>
        keys
          .map((key) => resource.get(key))
          .map((object) => (object === undefined ? undefined : resource.singleObject(object, representation.items)));
      for (let times = 0; times < 2; times++) {
        await list('identity');
        await list('gzip');
        expect(alone()[0]).toEqual(expected);
      }
      expect(messages).toBe(3);
      backend.put(toKey('/objects/default/b'), first.json.toString());
      await waitFor(() => frames().every((count) => count === 4), { what: 'the change', everyMs: 1 });
      await list('identity');
      alone();
      expect(messages).toBe(4);
    } finally {
      stop.abort();
      await cache.close();
    }
  });

  it('are of one representation, whoever asks', () => {
    expect(first.representations.inProtobuf()).toBe(first.representations.inProtobuf());
    expect(partialOf('list').items).toBe(partialOf('object').items);
    expect(partialOf('list').items.id).not.toBe(
      first.representations.find({ as: { kind: 'PartialObjectMetadataList', version: 'v1' }, shows: 'list', includeObject: undefined })
        .items.id,
    );
  });
});
