/** Prints a configuration to start from, with a comment on each field and the source of its default. */
import { Document, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Pair, YAMLMap } from 'yaml';
import { defaultOf } from '../defaults/with-defaults.ts';
import type { DefaultsOf, FrozenValues } from '../defaults/with-defaults.ts';
import type { ConfigField, ConfigKindName, ConfigShape } from '../kinds/config-kind.ts';
import { fieldNamed, shapeNamed } from '../read/field-names.ts';
import { kindOf } from './changed-values.ts';
import { PRINT_OPTIONS } from './print-yaml.ts';

const LINE_WIDTH = 100;
const INDENT = 2;
const TYPE_META_FIELDS: ReadonlySet<unknown> = new Set(['apiVersion', 'kind']);

/** Returns YAML that parses to the same values. `values` must be a complete document of the kind. */
export function printCommented(values: FrozenValues, name: ConfigKindName): string {
  const kind = kindOf(name);
  const shape = shapeNamed(name);
  const suffix = String(values['apiVersion']).slice(kind.group.length + 1, -kind.version.length - 1);
  const document = new Document(values, PRINT_OPTIONS);
  document.commentBefore = commentOf([shape.description], 0);
  if (isMap(document.contents)) {
    comment(document.contents, shape, 0, { kind, suffix });
    for (const pair of document.contents.items)
      if (isScalar(pair.key) && !TYPE_META_FIELDS.has(pair.key.value)) pair.key.spaceBefore = true;
  }
  return document.toString(PRINT_OPTIONS);
}

function comment(map: YAMLMap, shape: ConfigShape, depth: number, of: DefaultsOf): void {
  for (const pair of map.items) {
    const field = isScalar(pair.key) ? fieldNamed(shape, String(pair.key.value))?.field : undefined;
    if (field === undefined || !isScalar(pair.key)) continue;
    pair.key.commentBefore = commentOf(sentencesOf(field, pair, of), depth);
    const { value } = pair;
    // In lists, only the first object gets comments.
    const inner = isSeq(value) ? value.items[0] : value;
    const innerDepth = isSeq(value) ? depth + 2 : depth + 1;
    if (field.shape !== undefined && isMap(inner)) comment(inner, shapeNamed(field.shape), innerDepth, of);
  }
}

function sentencesOf(field: ConfigField, { value }: Pair, of: DefaultsOf): string[] {
  const { description, source, effectless = false } = field;
  const sentences = [description, ...(effectless ? ['Current releases do nothing with it.'] : [])];
  const printed: unknown = isPair(value) ? undefined : JSON.stringify(value);
  return source !== undefined && printed === JSON.stringify(defaultOf(field, of)) ? [...sentences, `Default from ${source}`] : sentences;
}

/** One line each, with a leading space; the library adds the `#`. Removes backticks. */
const commentOf = (paragraphs: readonly string[], depth: number): string =>
  paragraphs
    .flatMap((paragraph) => wrapped(paragraph.replaceAll('`', ''), LINE_WIDTH - depth * INDENT - 2))
    .map((line) => ` ${line}`)
    .join('\n');

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines.splice(-1, 1, `${last} ${word}`);
  }
  return lines;
}
