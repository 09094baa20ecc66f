/** Whole objects of a view as JSON. Of a kind that is what is stored; of a view it is made of that, once for each revision as long as it is remembered. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { canonicalHead } from '../../apimachinery/meta/object-bytes.ts';
import { renamingOf } from '../../apis/kind-view.ts';
import type { KindView, ResourceDefinition } from '../../apis/kind.ts';
import { createObjectCodec } from '../../schema/object-codec.ts';
import type { PreparedObject } from '../../watchcache/watch-cache.ts';
import { endOfJson, JSON_TYPES } from './json-answer.ts';
import { metadataEnd, toListForm } from './list-form.ts';
import { listMeta } from './list-meta.ts';
import type { ObjectForm } from './object-form.ts';

/**
 * From the form inside a list of a stored object to that of the view. Metadata is the same in both and is copied unread; of an object that is damaged
 * there is nothing more. `parse`: of a stored object's bytes. Gives a buffer of its own, in no pool: whoever remembers it keeps nothing else alive.
 */
export function toListFormOf(view: KindView, parse: (json: Buffer) => JsonObject): (listForm: Buffer) => Buffer {
  const { toView } = renamingOf(view);
  const codec = createObjectCodec(view.shape);
  const behindMetadata = (object: JsonObject): Buffer => {
    const json = codec.encode({ ...object, metadata: {} });
    return json.subarray(metadataEnd(json));
  };
  const nothing = behindMetadata({});
  return (listForm) => {
    const end = metadataEnd(listForm);
    const rest = restOf(listForm, end);
    const shown = Buffer.allocUnsafeSlow(end + rest.byteLength);
    listForm.copy(shown, 0, 0, end);
    rest.copy(shown, end);
    return shown;
  };

  function restOf(listForm: Buffer, end: number): Buffer {
    if (listForm[end] !== COMMA) return nothing;
    try {
      return behindMetadata(toView(parse(Buffer.concat([OPEN_BRACE, listForm.subarray(end + 1)]))));
    } catch {
      return nothing;
    }
  }
}

const COMMA = 0x2c;
const OPEN_BRACE = Buffer.from('{');

export interface ViewFormOptions {
  readonly definition: ResourceDefinition;
  /** As `toListFormOf` does. */
  readonly toShown: (listForm: Buffer) => Buffer;
  /** What stands before the metadata of a whole stored object. */
  readonly head: Buffer;
  readonly id: string;
  readonly now: () => number;
}

export function createViewForm({ definition, toShown, head, id, now }: ViewFormOptions): ObjectForm {
  const shownHead = canonicalHead(definition);
  const whole = (listForm: Buffer): Buffer => Buffer.concat([shownHead, toShown(listForm).subarray(1)]);
  return {
    ...JSON_TYPES,
    derived: {
      id,
      now,
      prepare: (listForm) => new ShownObject(toShown(listForm)),
      eventObject: (listForm) => ({ bytes: whole(listForm), validUntil: Infinity }),
    },
    toObject: (json) => endOfJson(whole(toListForm(json, head))),
    listHead: (list) =>
      Buffer.from(`{"kind":"${definition.listKind}","apiVersion":"${definition.apiVersion}","metadata":${listMeta(list)},"items":[`),
    listTail: Buffer.from(']}\n'),
    eventSink: (sink) => sink,
  };
}

/** What an object costs to remember besides its bytes, about. */
const OBJECT_BYTES = 128;

class ShownObject implements PreparedObject {
  readonly #listForm: Buffer;

  /** `listForm` becomes its own. */
  constructor(listForm: Buffer) {
    this.#listForm = listForm;
  }

  get cost(): number {
    return OBJECT_BYTES + this.#listForm.byteLength;
  }

  get maxBytes(): number {
    return this.#listForm.byteLength;
  }

  writeTo(target: Buffer, offset: number): number {
    return offset + this.#listForm.copy(target, offset);
  }

  validUntil(): number {
    return Infinity;
  }
}
