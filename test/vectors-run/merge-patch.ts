import { expect } from '@jest/globals';
import { parseJson } from '../../pkg/apimachinery/json/parse-json.ts';
import { writeJson } from '../../pkg/apimachinery/json/write-json.ts';
import { applyMergePatch, parseMergePatch } from '../../pkg/fieldmanager/merge-patch/apply-merge-patch.ts';
import { expectPatched, type PatchVector } from './patch.ts';
import { runnerOf } from './vector.ts';

export const mergePatch = runnerOf<PatchVector>((members, { document, patch }) => {
  const given = parseJson(document?.bytes ?? Buffer.alloc(0), undefined, 'tokens').value;
  const before = writeJson(given);
  expectPatched(members, () => applyMergePatch(given, parseMergePatch(patch?.bytes ?? Buffer.alloc(0)).patch));
  expect(writeJson(given)).toBe(before);
});
