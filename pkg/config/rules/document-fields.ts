/** Every field of a document with its effective value, for rules that go by what the facts say of a field. */
import type { ConfigDocument } from '../config-document.ts';
import { defaultOf } from '../defaults/with-defaults.ts';
import type { ConfigField, ConfigShape } from '../kinds/config-kind.ts';
import { CONFIG_KINDS } from '../kinds/kinds.gen.ts';
import { shapeNamed } from '../read/field-names.ts';

export interface DocumentField {
  readonly path: string;
  readonly field: ConfigField;
  readonly value: unknown;
  /** The object that it is in; undefined: the document itself. */
  readonly parent: ConfigField | undefined;
}

/** Objects are gone into, and so are lists of objects; neither is yielded itself, but for lists of strings. */
export function* documentFields({ kind, config }: ConfigDocument): Generator<DocumentField> {
  yield* fieldsOf(shapeNamed(kind), config, '', undefined);
}

function* fieldsOf(shape: ConfigShape, object: unknown, within: string, parent: ConfigField | undefined): Generator<DocumentField> {
  for (const field of shape.fields) {
    if (field.movedTo !== undefined) continue;
    const path = `${within}${field.name}`;
    const value = memberOf(object, field.name);
    if (field.type === 'object') yield* fieldsOf(shapeNamed(field.shape), value, `${path}.`, field);
    else if (field.type !== 'list' || field.shape === undefined) yield { path, field, value, parent };
    else if (Array.isArray(value))
      for (const [index, each] of value.entries()) yield* fieldsOf(shapeNamed(field.shape), each, `${path}[${index}].`, field);
  }
}

/** Fields that the file sets to something else than their default, lists as a whole. What they say matters to whoever wrote them. */
export function* changedFields(document: ConfigDocument): Generator<Pick<DocumentField, 'path' | 'field' | 'value'>> {
  const { kind: name, config } = document;
  const kind = CONFIG_KINDS.find((each) => each.kind === name);
  if (kind === undefined) return;
  const suffix = config.apiVersion.slice(kind.group.length + 1, config.apiVersion.indexOf('/'));
  for (const { path, field, value } of wholeFields(shapeNamed(name), config, '')) {
    if (!document.isSet(path)) continue;
    if (JSON.stringify(value) !== JSON.stringify(defaultOf(field, { kind, suffix }))) yield { path, field, value };
  }
}

function* wholeFields(shape: ConfigShape, object: unknown, within: string): Generator<Pick<DocumentField, 'path' | 'field' | 'value'>> {
  for (const field of shape.fields) {
    if (field.movedTo !== undefined) continue;
    const path = `${within}${field.name}`;
    const value = memberOf(object, field.name);
    if (field.type === 'object') yield* wholeFields(shapeNamed(field.shape), value, `${path}.`);
    else yield { path, field, value };
  }
}

const memberOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
