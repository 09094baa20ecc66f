/** Codecs and validators of a kind, view or review. Created once each, since the first use walks the whole type. */
import { ObjectEncoding } from '../apimachinery/meta/object-encoding.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { Kind } from '../apis/kind.ts';
import type { Review } from '../apis/review.ts';
import type { ObjectShape } from '../apis/type-shape.ts';
import { createFieldManager, type FieldManager } from '../fieldmanager/field-manager.ts';
import { createDocumentConverter } from '../fieldmanager/typed/document.ts';
import type { ObjectWriterOptions } from '../schema/encode.ts';
import { createObjectCodec, type ObjectCodec } from '../schema/object-codec.ts';
import { createMessageCodec, type MessageCodec } from '../schema/protobuf/message-codec.ts';
import { createValidator, type Validator } from '../schema/validator.ts';

/** For any type that clients send, stored or not. */
export interface CompiledType {
  readonly codec: ObjectCodec;
  /** Protobuf codec. */
  readonly message: MessageCodec;
  readonly validator: Validator;
  readonly fieldManager: FieldManager;
}

export interface CompiledKind extends CompiledType {
  readonly kind: Kind;
  readonly encoding: ObjectEncoding;
  /** The object as clients see it, without its resourceVersion. */
  readonly documentOf: (object: JsonObject) => JsonObject;
  /** The stored kind: that of a view, or the kind itself. */
  readonly stored: CompiledKind;
}

export function compileKind(kind: Kind, stored?: CompiledKind): CompiledKind {
  const compiled = {
    kind,
    encoding: new ObjectEncoding(kind.definition),
    documentOf: createDocumentConverter(kind.shape),
    ...compileShape(kind.shape),
    fieldManager: createFieldManager(kind),
  };
  return {
    ...compiled,
    get stored() {
      return stored ?? this;
    },
  };
}

/** Kinds and their views, by kind. */
export function compileKinds(kinds: readonly Kind[]): ReadonlyMap<Kind, CompiledKind> {
  const compiled = new Map<Kind, CompiledKind>();
  for (const kind of kinds) {
    const own = compileKind(kind);
    compiled.set(kind, own);
    for (const view of kind.views ?? []) compiled.set(view, compileKind(view, own));
  }
  return compiled;
}

export const compileReview = (review: Review): CompiledType => ({
  ...compileShape(review.shape, { keepsEmptyLists: true }),
  fieldManager: createFieldManager({ ...review, strategy: {} }),
});

const compileShape = (shape: ObjectShape, options: ObjectWriterOptions = {}) => ({
  codec: createObjectCodec(shape, options),
  message: createMessageCodec(shape),
  validator: createValidator(shape),
});
