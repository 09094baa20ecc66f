/** Sample objects of the kinds: what their folders hold (`testdata/`), and what follows from their shapes. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../pkg/apimachinery/json/json-value.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import type { Kind } from '../../pkg/apis/kind.ts';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import type { TypeShape } from '../../pkg/apis/type-shape.ts';
import { createObjectCodec } from '../../pkg/schema/object-codec.ts';

/**
 * `realistic`: as a cluster stores it. `full`: every field set, not valid. `minimal`: what is written of an object that
 * is empty but for its name, not valid either.
 */
export type SampleName = 'realistic' | 'full' | 'minimal';
export const SAMPLE_NAMES: readonly SampleName[] = ['realistic', 'full', 'minimal'];

const APIS = path.resolve(import.meta.dirname, '../../pkg/apis');

interface PublishedFacts {
  readonly resource?: { readonly kind: string; readonly subresources: readonly string[]; readonly deleteReturns: string };
}
export interface KindFolder extends Required<PublishedFacts> {
  readonly folder: string;
}

/** The folders below `pkg/apis` that hold a kind, found by their facts. */
export const KIND_FOLDERS: readonly KindFolder[] = globSync('*/*/*/facts.json', { cwd: APIS })
  .sort()
  .flatMap((file) => {
    const { resource } = JSON.parse(readFileSync(path.join(APIS, file), 'utf8')) as PublishedFacts;
    return resource === undefined ? [] : [{ folder: path.join(APIS, path.dirname(file)), resource }];
  });

export const SAMPLE_KINDS: readonly Kind[] = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX });

export function folderOf(kind: string): KindFolder {
  const found = KIND_FOLDERS.find(({ resource }) => resource.kind === kind);
  if (found === undefined) throw new Error(`no folder of a kind ${kind}`);
  return found;
}

/** JSON with the groups of another suffix in it. */
export const inGroupsOf = (groupSuffix: string, json: string): string =>
  json.replaceAll(`.authorization.${DEFAULT_GROUP_SUFFIX}`, `.authorization.${groupSuffix}`);

/** A new object each time. */
export function kindSample(kind: string, name: SampleName): JsonObject & { readonly metadata: JsonObject } {
  return JSON.parse(kindSampleText(kind, name)) as JsonObject & { readonly metadata: JsonObject };
}

export function kindSampleText(kind: string, name: SampleName): string {
  if (name === 'realistic') return readFileSync(path.join(folderOf(kind).folder, 'testdata/realistic.json'), 'utf8');
  const found = SAMPLE_KINDS.find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  const { shape, definition } = found;
  const identity = { kind, apiVersion: definition.apiVersion };
  if (name === 'full') return JSON.stringify({ ...(valueOf(shape, kind) as JsonObject), ...identity });
  const metadata = { name: 'x', ...(definition.namespaced ? { namespace: 'default' } : {}) };
  return createObjectCodec(shape)
    .encode({ ...identity, metadata })
    .toString();
}

/** A value with everything set. Texts name the field that they are in. */
function valueOf(shape: TypeShape, name: string): JsonValue {
  switch (shape.shape) {
    case 'object':
      return Object.fromEntries(shape.fields.map((field) => [field.name, valueOf(field.type, field.name)]));
    case 'array':
      return [valueOf(shape.items, name)];
    case 'map':
      return { key: valueOf(shape.values, name) };
    case 'boolean':
      return true;
    case 'int32':
    case 'int64':
    case 'number':
      return 7;
    case 'time':
      return '2026-03-14T15:09:26Z';
    case 'micro-time':
      return '2026-03-14T15:09:26.535897Z';
    case 'duration':
      return '1h0m0s';
    case 'quantity':
      return '100m';
    case 'int-or-string':
      return '25%';
    case 'bytes':
      return 'dmFsdWU=';
    case 'fields-v1':
      return { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } };
    case 'raw':
    case 'any':
      return { key: 'value' };
    case 'string':
      return `${name}-value`;
    default:
      return shape satisfies never;
  }
}
