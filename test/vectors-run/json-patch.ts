import { expect } from '@jest/globals';
import { parseJson } from '../../pkg/apimachinery/json/parse-json.ts';
import { isJsonObject, writeJson } from '../../pkg/apimachinery/json/write-json.ts';
import { applyJsonPatch } from '../../pkg/fieldmanager/json-patch/apply-json-patch.ts';
import { parseJsonPatch } from '../../pkg/fieldmanager/json-patch/parse-json-patch.ts';
import { expectPatched, type PatchVector } from './patch.ts';
import { runnerOf } from './vector.ts';

export const jsonPatch = runnerOf<PatchVector>((members, { document, patch }) => {
  const given = parseJson(document?.bytes ?? Buffer.alloc(0), undefined, 'tokens').value;
  if (!isJsonObject(given)) throw new Error('The document of this vector is not an object.');
  const before = writeJson(given);
  expectPatched(members, () => applyJsonPatch(given, parseJsonPatch(patch?.bytes ?? Buffer.alloc(0))));
  expect(writeJson(given)).toBe(before);
});
