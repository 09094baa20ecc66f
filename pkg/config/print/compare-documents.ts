/** Two files by what they mean: spelling, order and defaults that are said or not make no difference. */
import type { ConfigDocument } from '../config-document.ts';
import { CONFIG_KINDS } from '../kinds/kinds.gen.ts';
import { documentFields } from '../rules/document-fields.ts';

export interface Difference {
  readonly kind: string;
  /** Empty: the whole document, which only one of the files has. */
  readonly path: string;
  /** Undefined: it is not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** In the order of the facts. A document that only one file has is one difference. */
export function compareDocuments(a: readonly ConfigDocument[], b: readonly ConfigDocument[]): Difference[] {
  return CONFIG_KINDS.flatMap(({ kind }) => {
    const [before, after] = [a, b].map((documents) => documents.find((document) => document.kind === kind));
    if (before === undefined && after === undefined) return [];
    if (before === undefined || after === undefined) return [{ kind, path: '', before: before?.config, after: after?.config }];
    const [left, right] = [valuesOf(before), valuesOf(after)];
    return [...new Set([...left.keys(), ...right.keys()])].flatMap((path) => {
      const [was, is] = [left.get(path), right.get(path)];
      return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ kind, path, before: was, after: is }];
    });
  });
}

const valuesOf = (document: ConfigDocument): ReadonlyMap<string, unknown> =>
  new Map([
    ['apiVersion', document.config.apiVersion],
    ...[...documentFields(document)].map(({ path, value }): [string, unknown] => [path, value]),
  ]);
