import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { canonicalHead, listForm as toListForm, resourceVersionPieces } from '../../apimachinery/meta/object-bytes.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import type { Kind } from '../../apis/kind.ts';
import { PartialObjectMetadataListShape, PartialObjectMetadataShape } from '../../apis/meta/v1/shapes.gen.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import { openEnvelope } from '../../schema/protobuf/envelope.ts';
import { createMessageCodec } from '../../schema/protobuf/message-codec.ts';
import { toRevision } from '../../storage/backend.ts';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { toKey } from '../../storage/keys.ts';
import { openWatchCache } from '../../watchcache/open-watch-cache.ts';
import { FakeBackend } from '../../../test/support/fake-backend.ts';
import { MemorySink } from '../../../test/support/memory-sink.ts';
import { waitFor } from '../../../test/support/wait.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { FrameReader } from '../../../test/support/frame-reader.ts';
import { allShapes } from '../../../test/support/shapes.ts';
import type { BareForm } from '../../watchcache/watch-cache.ts';
import { createMetaMessages } from './meta-messages.ts';
import type { ObjectForm } from './object-form.ts';
import { createResourceForms } from './resource-forms.ts';

const kinds = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });

/** A stored object with everything in it, and the forms of its kind. */
function sampleOf(kind: Kind) {
  const { definition, shape } = kind;
  const codec = createObjectCodec(shape);
  const message = createMessageCodec(shape);
  const file = new URL(`../../../test/vectors/samples/${definition.kind.toLowerCase()}.full.json`, import.meta.url);
  const json = codec.encode(codec.decodeBody(readFileSync(file)).object);
  const listForm = toListForm(json, canonicalHead(definition).byteLength, 7);
  const forms = createResourceForms({
    kind,
    parse: (bytes) => codec.parseStored(bytes),
    message,
    meta: createMetaMessages(),
    now: () => 0,
  });
  return { codec, message, json, listForm, object: codec.parseStored(listForm), forms };
}

const [firstKind] = kinds;
if (firstKind === undefined) throw new Error('no kinds');
const first = sampleOf(firstKind);
const partialOf = (shows: 'list' | 'object'): ObjectForm =>
  first.forms.find({
    as: { kind: shows === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata', version: 'v1' },
    inProtobuf: true,
    shows,
    includeObject: undefined,
  });

function bare({ derived }: ObjectForm): BareForm {
  if (derived.isBare !== true) throw new Error('a form in protobuf was expected');
  return derived;
}

/** As the watch cache writes a list. */
function listed(form: ObjectForm, objects: readonly Buffer[]): Buffer {
  const items = objects.map((listForm) => bare(form).element(listForm));
  const head = form.listHead({ revision: toRevision(9), continueToken: 'next', remainingItemCount: 3 });
  if (typeof head !== 'function') throw new Error('the head needs no length');
  const bytes = Buffer.concat(items);
  return Buffer.concat([head(bytes.byteLength), bytes, form.listTail]);
}
const LIST_METADATA = { resourceVersion: '9', continue: 'next', remainingItemCount: 3 };

describe('Objects in protobuf', () => {
  it.each(kinds)('are what they are in JSON, alone and in events: $definition.kind', (kind) => {
    const { kind: name, apiVersion } = kind.definition;
    const { message, json, listForm, object, forms } = sampleOf(kind);
    const form = forms.inProtobuf();
    const alone = form.toObject(resourceVersionPieces(json, 7));
    expect(openEnvelope(alone)).toMatchObject({ kind: name, apiVersion });
    expect(openEnvelope(alone).raw).toEqual(message.encode(object));
    expect(bare(form).alone(Buffer.from(bare(form).element(listForm)))).toEqual(alone);
    expect(form.derived.eventObject(listForm, 0)).toEqual({ bytes: alone, validUntil: Infinity });
  });

  it.each(kinds)('are listed as the codec writes a list in one: $definition.listKind', async ({ ...kind }) => {
    const { kind: name, listKind, apiVersion } = kind.definition;
    const { listForm, object, forms } = sampleOf(kind);
    const listShape = (await allShapes()).get(kind.shape.name.replace(name, listKind));
    if (listShape === undefined) throw new Error(`no list of ${name}`);
    const envelope = openEnvelope(listed(forms.inProtobuf(), [listForm, listForm]));
    expect(envelope).toMatchObject({ kind: listKind, apiVersion, contentType: '', contentEncoding: '' });
    expect(envelope.raw).toEqual(createMessageCodec(listShape).encode({ metadata: LIST_METADATA, items: [object, object] }));
    expect(openEnvelope(listed(forms.inProtobuf(), [])).raw).toEqual(createMessageCodec(listShape).encode({ metadata: LIST_METADATA }));
  });

  it('show their metadata alone', () => {
    const { metadata = {} } = first.object;
    const alone = openEnvelope(partialOf('object').toObject(resourceVersionPieces(first.json, 7)));
    expect(alone).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
    expect(alone.raw).toEqual(createMessageCodec(PartialObjectMetadataShape).encode({ metadata }));
    const list = openEnvelope(listed(partialOf('list'), [first.listForm]));
    expect(list).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(list.raw).toEqual(createMessageCodec(PartialObjectMetadataListShape).encode({ metadata: LIST_METADATA, items: [{ metadata }] }));
  });

  it('keep their metadata when the rest is damaged', () => {
    const damaged = Buffer.from('{"metadata":{"resourceVersion":"7","name":"x"},"spec":{"schedule":}}');
    const { raw } = openEnvelope(first.forms.inProtobuf().derived.eventObject(damaged, 0).bytes);
    expect(first.message.decode(raw)).toMatchObject({ metadata: { name: 'x', resourceVersion: '7' } });
    expect(() => bare(first.forms.inProtobuf()).element(Buffer.from('{"metadata":{"name":}}'))).not.toThrow();
  });

  it('are watched in frames, and so is the error that ends a watch', () => {
    const { derived } = first.forms.inProtobuf();
    const { bytes } = derived.eventObject(first.listForm, 0);
    const error = new StatusError('Expired', 'too old');
    const stream = [derived.stream?.event('ADDED', bytes), derived.stream?.event('ERROR', derived.stream.error(error))];
    const frames = new FrameReader().read(Buffer.concat(stream.filter((frame) => frame !== undefined)));
    expect(frames.map(({ type, sealed }) => [type, openEnvelope(sealed).kind])).toEqual([
      ['ADDED', firstKind.definition.kind],
      ['ERROR', 'Status'],
    ]);
    expect(frames[0]?.sealed).toEqual(bytes);
  });

  it('are written into a message once for each revision, for single reads, lists and watches together', async () => {
    const { definition, shape } = firstKind;
    const expected = first.forms.inProtobuf().toObject(resourceVersionPieces(first.json, 2));
    let messages = 0;
    const message = createMessageCodec(shape);
    const counting = { encode: (object: JsonObject) => (messages++, message.encode(object)) };
    const forms = createResourceForms({
      kind: firstKind,
      parse: (json) => first.codec.parseStored(json),
      message: counting,
      meta: createMetaMessages(),
      now: () => 0,
    });
    const form = forms.inProtobuf();
    const backend = new FakeBackend();
    const prefix = toKey('/objects/');
    const keys = ['a', 'b', 'c'].map((name) => toKey(`/objects/default/${name}`));
    for (const key of keys) backend.put(key, first.json.toString());
    const describe = () => ({ uid: 'u', labels: undefined, fields: undefined });
    const cached = { name: 'objects', prefix, namespaced: true, head: canonicalHead(definition), describe };
    const cache = openWatchCache({ backend, resources: [cached], clock: systemClock, log: silentLog, initialEventsEnd: 'example.com/end' });
    const stop = new AbortController();
    try {
      await cache.filled();
      const resource = cache.resource('objects');
      const watches = [new MemorySink(), new MemorySink()];
      const request = {
        selection: {},
        from: resource.revision,
        initialEvents: true,
        bookmarks: false,
        signal: stop.signal,
        form: form.derived,
      };
      for (const sink of watches) void resource.watch(request, sink);
      const frames = () => watches.map((sink) => new FrameReader().read(sink.bytes()).length);
      await waitFor(() => frames().every((count) => count === 3), { what: 'the initial events', everyMs: 1 });
      const list = async (encoding: 'identity' | 'gzip') => {
        const frame = { head: form.listHead({ revision: resource.revision }), tail: form.listTail, encoding, form: form.derived };
        await resource.snapshot().page({ selection: {} }).writeTo(new MemorySink(), frame);
      };
      const alone = () =>
        keys.map((key) => resource.get(key)).map((object) => (object === undefined ? undefined : resource.alone(object, form.derived)));
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

  it('are of one form, whoever asks', () => {
    expect(first.forms.inProtobuf()).toBe(first.forms.inProtobuf());
    expect(partialOf('list').derived).toBe(partialOf('object').derived);
    expect(partialOf('list').derived.id).not.toBe(
      first.forms.find({ as: { kind: 'PartialObjectMetadataList', version: 'v1' }, shows: 'list', includeObject: undefined }).derived.id,
    );
  });
});
