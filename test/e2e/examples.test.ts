/** `examples/`: one manifest per kind, taken as it stands. */
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { expect, it } from '@jest/globals';
import { KINDS, collectionPath, itemPath, type SampleObject } from '../support/kinds.ts';
import { describeServer, WITHOUT_FAIRNESS } from '../support/stores.ts';

const folder = resolve(import.meta.dirname, '../../examples');

describeServer(
  'Examples',
  (api) => {
    it('are one manifest per kind', async () => {
      const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
      const kinds = await Promise.all(files.map(async (file) => (parse(await readFile(join(folder, file), 'utf8')) as SampleObject).kind));
      expect(kinds.sort()).toEqual(KINDS.map(({ kind }) => kind).sort());
    });

    it.each(KINDS)('are created, with nothing dropped and no warning: $kind', async (kind) => {
      const manifest = parse(await readFile(join(folder, `${kind.kind.toLowerCase()}.yaml`), 'utf8')) as SampleObject & {
        metadata: { namespace?: string };
      };
      expect(manifest).not.toHaveProperty('status');
      const namespace = manifest.metadata.namespace ?? '';
      const answer = await api.post(`${collectionPath(kind, namespace)}?fieldValidation=Strict`, manifest);
      expect(answer.code).toBe(201);
      expect(answer.headers['warning']).toBeUndefined();
      expect(answer.object()).toMatchObject(manifest);
      expect((await api.get(itemPath(kind, namespace, manifest.metadata.name))).object()).toEqual(answer.object());
    });
  },
  WITHOUT_FAIRNESS,
);
