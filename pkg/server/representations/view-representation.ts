/** JSON of a view's objects, converted once per revision while it is cached. Objects of kinds need no conversion. */
import { metadataEnd, ObjectEncoding } from '../../apimachinery/meta/object-encoding.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { renamingOf } from '../../apis/kind-view.ts';
import type { KindView, ResourceDefinition } from '../../apis/kind.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import type { ItemTemplate } from '../../watchcache/representations/representation.ts';
import { withNewline, JSON_TYPES } from './json-output.ts';
import { listMeta } from './list-meta.ts';
import type { ResourceRepresentation } from './resource-representation.ts';

/**
 * Converts stored items to items of the view. Metadata is the same in both and is copied as bytes; a damaged object is
 * reduced to its metadata. The result is not allocated from a pool, so caching it retains no other memory.
 */
export function itemConverterOf(view: KindView, parse: (json: Buffer) => JsonObject): (itemBytes: Buffer) => Buffer {
  const { toView } = renamingOf(view);
  const codec = createObjectCodec(view.shape);
  const fieldsAfterMetadata = (object: JsonObject): Buffer => {
    const json = codec.encode({ ...object, metadata: {} });
    return json.subarray(metadataEnd(json));
  };
  const nothing = fieldsAfterMetadata({});
  return (itemBytes) => {
    const end = metadataEnd(itemBytes);
    const body = bodyOf(itemBytes, end);
    const shown = Buffer.allocUnsafeSlow(end + body.byteLength);
    itemBytes.copy(shown, 0, 0, end);
    body.copy(shown, end);
    return shown;
  };

  function bodyOf(itemBytes: Buffer, end: number): Buffer {
    if (itemBytes[end] !== COMMA) return nothing;
    try {
      return fieldsAfterMetadata(toView(parse(Buffer.concat([OPEN_BRACE, itemBytes.subarray(end + 1)]))));
    } catch {
      return nothing;
    }
  }
}

const COMMA = 0x2c;
const OPEN_BRACE = Buffer.from('{');

export interface ViewRepresentationOptions {
  readonly definition: ResourceDefinition;
  /** From `itemConverterOf`. */
  readonly toShown: (itemBytes: Buffer) => Buffer;
  /** Encoding of the stored objects. */
  readonly encoding: ObjectEncoding;
  readonly id: string;
  readonly now: () => number;
}

export function createViewRepresentation({ definition, toShown, encoding, id, now }: ViewRepresentationOptions): ResourceRepresentation {
  const shownHead = new ObjectEncoding(definition).head;
  const whole = (itemBytes: Buffer): Buffer => Buffer.concat([shownHead, toShown(itemBytes).subarray(1)]);
  return {
    ...JSON_TYPES,
    items: {
      id,
      now,
      template: (itemBytes) => new ShownObject(toShown(itemBytes)),
      eventObject: (itemBytes) => ({ bytes: whole(itemBytes), validUntil: Infinity }),
    },
    toObject: (json) => withNewline(whole(encoding.itemOfSingleObject(json))),
    listHead: (list) =>
      Buffer.from(`{"kind":"${definition.listKind}","apiVersion":"${definition.apiVersion}","metadata":${listMeta(list)},"items":[`),
    listTail: Buffer.from(']}\n'),
    eventWriter: (writer) => writer,
  };
}

/** Approximate memory of a cached object besides its bytes. */
const OBJECT_BYTES = 128;

class ShownObject implements ItemTemplate {
  readonly #itemBytes: Buffer;

  /** Takes ownership of `itemBytes`. */
  constructor(itemBytes: Buffer) {
    this.#itemBytes = itemBytes;
  }

  get cost(): number {
    return OBJECT_BYTES + this.#itemBytes.byteLength;
  }

  get maxBytes(): number {
    return this.#itemBytes.byteLength;
  }

  writeTo(target: Buffer, offset: number): number {
    return offset + this.#itemBytes.copy(target, offset);
  }

  validUntil(): number {
    return Infinity;
  }
}
