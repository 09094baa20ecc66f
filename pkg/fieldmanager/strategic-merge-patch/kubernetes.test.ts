/** Edge cases with the results of Kubernetes' own library. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import { createKinds } from '../../apis/kinds.gen.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { applyStrategicMergePatch } from './apply-strategic-merge-patch.ts';
import { createStrategicMergePatch } from '../../../test/fieldmanager/create-strategic-merge-patch.ts';

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly original: JsonObject;
  readonly patch: JsonObject;
  readonly modified: JsonObject;
  readonly expected?: JsonObject;
  readonly expectedPatch?: JsonObject;
  readonly expectError?: boolean;
}

const casesOf = (file: string) => JSON.parse(readFileSync(path.join(import.meta.dirname, 'testdata', file), 'utf8')) as readonly Case[];

const shapes = new Map(createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX }).map(({ definition, shape }) => [definition.kind, shape]));

function shapeOf(kind: string): ObjectShape {
  const shape = shapes.get(kind);
  if (shape === undefined) throw new Error(`There is no kind ${kind}.`);
  return shape;
}

function check(make: () => JsonObject, expected: JsonObject | undefined, expectError: boolean | undefined): void {
  if (expectError === true) expect(make).toThrow(StatusError);
  else expect(make()).toEqual(expected);
}

describe('A strategic merge patch gives the same result as Kubernetes', () => {
  it.each(casesOf('apply.json'))('$name', ({ kind, original, patch, expected, expectError }) => {
    check(() => applyStrategicMergePatch(shapeOf(kind), original, patch), expected, expectError);
  });
});

describe('A created strategic merge patch equals that of Kubernetes', () => {
  it.each(casesOf('create.json'))('$name', ({ kind, original, modified, expectedPatch, expectError }) => {
    check(() => createStrategicMergePatch(shapeOf(kind), original, modified), expectedPatch, expectError);
  });
});
