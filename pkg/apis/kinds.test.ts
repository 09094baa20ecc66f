import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kindCase } from '../../test/support/kinds.ts';
import { VolumeShape } from './core/v1/shapes.gen.ts';
import { createKinds } from './kinds.gen.ts';
import type { ObjectShape } from './type-shape.ts';

const kinds = createKinds({ groupSuffix: 'example.org' });
const folders = globSync('**/kind.ts', { cwd: import.meta.dirname })
  .filter((file) => file !== 'kind.ts')
  .map((file) => path.dirname(file));

interface PublishedFacts {
  readonly resource: { readonly kind: string; readonly group: string; readonly version: string; readonly plural: string };
}
const published = folders.map(
  (folder) => (JSON.parse(readFileSync(path.join(import.meta.dirname, folder, 'facts.json'), 'utf8')) as PublishedFacts).resource,
);

describe('index of kinds', () => {
  it('lists exactly the folders that hold a kind', () => {
    const index = readFileSync(path.join(import.meta.dirname, 'kinds.gen.ts'), 'utf8');
    const listed = [...index.matchAll(/from '\.\/(.+)\/kind\.ts'/g)].map(([, folder]) => folder);
    expect(listed).toEqual(folders.toSorted());
    expect(kinds).toHaveLength(listed.length);
  });

  it('completes the groups that have a suffix with the one that is configured', () => {
    const ofFacts = published.map(({ kind, group, version, plural }) => ({
      kind,
      resource: plural,
      apiVersion: group === '' ? version : `${group.replace('{group_suffix}', 'example.org')}/${version}`,
    }));
    expect(kinds.map(({ definition: { kind, resource, apiVersion } }) => ({ kind, resource, apiVersion }))).toEqual(
      expect.arrayContaining(ofFacts),
    );
    expect(kinds.map(({ definition }) => definition.apiVersion)).toEqual(
      expect.arrayContaining(['v1', 'apps/v1', 'storage.example.org/v1']),
    );
  });

  it('gives a status path to the kinds whose strategy has rules for it', () => {
    for (const { definition, strategy } of kinds) {
      expect({ kind: definition.kind, status: definition.subresources.some(({ name }) => name === 'status') }).toEqual({
        kind: definition.kind,
        status: strategy.status !== undefined,
      });
    }
  });

  it.each(kinds)(
    '$definition.kind has a case of its own API version, with a status if only /status writes it',
    ({ definition, strategy }) => {
      const { sample, status } = kindCase(definition.kind);
      const { kind, apiVersion } = sample('x', 'default');
      expect({ kind, apiVersion }).toEqual({ kind: definition.kind, apiVersion: definition.apiVersion.replace('example.org', 'k8s.io') });
      expect(status !== undefined).toBe(strategy.status?.resetOnUpdate === true);
    },
  );

  it.each(kinds)('$definition.kind starts with kind, apiVersion and metadata', ({ shape }) => {
    expect(shape.fields.slice(0, 3).map(({ name }) => name)).toEqual(['kind', 'apiVersion', 'metadata']);
  });
});

/** The shape of the field at a path of structs. */
function shapeAt(shape: ObjectShape, ...names: readonly string[]): unknown {
  const [name, ...rest] = names;
  const field = shape.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${shape.name} has no ${name ?? 'field'}`);
  return rest.length === 0 || field.type.shape !== 'object' ? field : shapeAt(field.type, ...rest);
}

describe('shapes', () => {
  const shapeOf = (kind: string): ObjectShape => {
    const found = kinds.find(({ definition }) => definition.kind === kind);
    if (found === undefined) throw new Error(`no kind ${kind}`);
    return found.shape;
  };

  it('reach down to the fields of a container', () => {
    expect(shapeAt(shapeOf('CronJob'), 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers')).toMatchObject({
      omit: 'never',
      zero: null,
      type: { shape: 'array', items: { shape: 'object', name: 'core.v1.Container' } },
    });
  });

  it('tell pointers and what is written for an absent field', () => {
    expect(shapeAt(shapeOf('CronJob'), 'spec', 'suspend')).toEqual({
      name: 'suspend',
      type: { shape: 'boolean' },
      omit: 'empty',
      pointer: true,
      wire: [4],
    });
    expect(shapeAt(shapeOf('Event'), 'eventTime')).toEqual({
      name: 'eventTime',
      type: { shape: 'micro-time' },
      omit: 'never',
      pointer: false,
      zero: null,
      wire: [2],
    });
    expect(shapeAt(shapeOf('ControllerRevision'), 'revision')).toMatchObject({ type: { shape: 'int64' }, omit: 'never', zero: 0 });
    expect(shapeAt(shapeOf('ControllerRevision'), 'data')).toMatchObject({ type: { shape: 'raw' } });
  });

  it('tell where a field is in protobuf: kind and apiVersion are not, what Go embeds is one message further in', () => {
    const { fields } = shapeOf('CronJob');
    expect(fields.map(({ name, wire }) => [name, wire])).toEqual([
      ['kind', undefined],
      ['apiVersion', undefined],
      ['metadata', [1]],
      ['spec', [2]],
      ['status', [3]],
    ]);
    expect(VolumeShape.fields.slice(0, 2).map(({ name, wire }) => [name, wire])).toEqual([
      ['name', [1]],
      ['hostPath', [2, 1]],
    ]);
  });
});
