/** Compares two files by meaning: spelling, order and explicit defaults make no difference. */
import type { ConfigDocument } from '../config-document.ts';
import type { ConfigField, ConfigShape } from '../kinds/config-kind.ts';
import { memberOf } from '../defaults/document-fields.ts';
import { CONFIG_KINDS } from '../kinds/kinds.gen.ts';
import { shapeNamed } from '../read/field-names.ts';
import { changedValues } from './changed-values.ts';
import { pairElements } from './pair-elements.ts';

export interface Difference {
  readonly kind: string;
  /** Empty for a document that only one file has. An element of only one list has its index there. */
  readonly path: string;
  /** Undefined if absent. For a whole document, its values other than defaults. */
  readonly before: unknown;
  readonly after: unknown;
}

/** In the order of the facts. A document that only one file has is one difference; lists are compared by element. */
export function compareDocuments(a: readonly ConfigDocument[], b: readonly ConfigDocument[]): Difference[] {
  return CONFIG_KINDS.flatMap(({ kind }): Difference[] => {
    const [before, after] = [a, b].map((documents) => documents.find((document) => document.kind === kind));
    if (before === undefined && after === undefined) return [];
    if (before === undefined || after === undefined)
      return [{ kind, path: '', before: before && changedValues(before), after: after && changedValues(after) }];
    const versions = [before, after].map(({ config }) => config.apiVersion);
    return [
      ...differenceIfAny(kind, 'apiVersion', versions[0], versions[1]),
      ...compareFields({ kind, shape: shapeNamed(kind), within: '' }, before.config, after.config),
    ];
  });
}

interface FieldContext {
  readonly kind: string;
  readonly shape: ConfigShape;
  /** Empty, or ends with a dot. */
  readonly within: string;
}

function compareFields({ kind, shape, within }: FieldContext, before: unknown, after: unknown): Difference[] {
  return shape.fields.flatMap((field) => {
    if (field.movedTo !== undefined) return [];
    const path = `${within}${field.name}`;
    const [was, is] = [memberOf(before, field.name), memberOf(after, field.name)];
    if (field.type === 'object') return compareFields({ kind, shape: shapeNamed(field.shape), within: `${path}.` }, was, is);
    if (Array.isArray(was) && Array.isArray(is)) return compareLists(kind, field, path, was, is);
    return differenceIfAny(kind, path, was, is);
  });
}

/** Objects with names match by name, other elements by value. */
function compareLists(
  kind: string,
  { shape }: ConfigField,
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
): Difference[] {
  return pairElements(before.map(elementKey), after.map(elementKey)).flatMap(({ before: was, after: is }): Difference[] => {
    if (was === undefined) return is === undefined ? [] : [{ kind, path: `${path}[${is}]`, before: undefined, after: after[is] }];
    if (is === undefined) return [{ kind, path: `${path}[${was}]`, before: before[was], after: undefined }];
    if (shape === undefined) return [];
    return compareFields({ kind, shape: shapeNamed(shape), within: `${path}[${is}].` }, before[was], after[is]);
  });
}

function elementKey(element: unknown): string {
  const name = memberOf(element, 'name');
  return typeof name === 'string' ? name : JSON.stringify(element);
}

const differenceIfAny = (kind: string, path: string, before: unknown, after: unknown): Difference[] =>
  JSON.stringify(before) === JSON.stringify(after) ? [] : [{ kind, path, before, after }];
