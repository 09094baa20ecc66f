/** What every kind must do with kubectl. */
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import type { ApiObject } from '../support/api-object.ts';
import { KINDS, collectionPath, itemPath, type KindCase, type SampleObject } from '../support/kinds.ts';
import { KUBECTL_MINOR } from '../support/kubectl.ts';
import { WITHOUT_FAIRNESS } from '../support/stores.ts';
import { describeKubectl } from './describe-kubectl.ts';

/**
 * The columns as kubectl shows them: those of the table, and all of them. Without the name that kubectl puts in front
 * of some.
 */
function headings(kind: KindCase, name: string): { readonly shown: readonly string[]; readonly wide: readonly string[] } {
  const columns = kind.columns(name).map((column) => ({ ...column, heading: column.name.toUpperCase().replaceAll(' ', '_') }));
  return { shown: columns.filter(({ wide }) => !wide).map(({ heading }) => heading), wide: columns.map(({ heading }) => heading) };
}

/** Cells stand at least three blanks apart. */
const cells = (line: string | undefined): string[] =>
  (line ?? '')
    .trim()
    .split(/ {2,}/)
    .map((cell) => cell.replaceAll(' ', '_'));

const CREATE = ['create', '-f', '-'];
/** Since 1.21 kubectl leaves managedFields out unless it is told not to. */
const SHOW_ALL = KUBECTL_MINOR >= 21 ? ['--show-managed-fields'] : [];
const REPLACE = ['replace', ...CREATE.slice(1)];

describeKubectl(
  'kubectl',
  (suite) => {
    describe.each(KINDS)('$kind', (kind: KindCase) => {
      const namespace = `kubectl-${kind.resource}`;
      const where = kind.namespaced ? ['--namespace', namespace] : [];
      const { name } = kind.sample('k', namespace).metadata;
      // The full name, since `events` alone may be another group's for kubectl.
      const resource = `${kind.resource}.${kind.version}.${kind.group}`;
      /** The server makes objects of this kind, and the other kinds' tests their namespaces. */
      const isOthers = (objectName: string) =>
        kind.madeByServer.includes(objectName) || (!kind.namespaced && objectName.startsWith('kubectl-'));
      const shownAs = (objectName: string) => `${kind.singular}${kind.group === '' ? '' : `.${kind.group}`}/${objectName}`;
      const shown = (each: string) => shownAs(kind.sample(each, namespace).metadata.name);

      it('is created from YAML, once', async () => {
        const manifest = stringify(kind.sample('k', namespace));
        expect(await suite.kubectl.told(CREATE, manifest)).toBe(`${shown('k')} created\n`);
        expect(await suite.kubectl.run(CREATE, { input: manifest })).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('AlreadyExists'),
        });
      });

      it('is shown as a table, wide, YAML, JSON, a name, and by path', async () => {
        const get = (output: readonly string[]) => suite.kubectl.told(['get', resource, name, ...where, ...output, ...SHOW_ALL]);
        const [table, wide, yaml, json, shortName, uid] = await Promise.all([
          get([]),
          get(['-o', 'wide']),
          get(['-o', 'yaml']),
          get(['-o', 'json']),
          get(['-o', 'name']),
          get(['-o', 'jsonpath={.metadata.uid}']),
        ]);
        const expected = headings(kind, name);
        expect(cells(table.split('\n')[0])).toEqual(expected.shown);
        expect(table.split('\n')).toHaveLength(3);
        expect(cells(wide.split('\n')[0]).sort()).toEqual(expected.wide.toSorted());
        expect(cells(wide.split('\n')[1])).toContain(name);
        const stored = (await suite.api.get(itemPath(kind, namespace, name))).object();
        expect(parse(yaml)).toEqual(stored);
        expect(JSON.parse(json)).toEqual(stored);
        expect([shortName, uid]).toEqual([`${shown('k')}\n`, stored.metadata.uid]);
      });

      it('is replaced, and listed', async () => {
        const { kubectl, api } = suite;
        const before = (await api.get(itemPath(kind, namespace, name))).object();
        const changed = kind.change(before as unknown as SampleObject, 1);
        expect(await kubectl.told(REPLACE, stringify(changed))).toBe(`${shown('k')} replaced\n`);
        expect((await api.get(itemPath(kind, namespace, name))).object().metadata.resourceVersion).not.toBe(
          before.metadata.resourceVersion,
        );
        const list = JSON.parse(await kubectl.told(['get', resource, '-o', 'json', ...where])) as { readonly items: readonly ApiObject[] };
        expect(list).toMatchObject({ kind: 'List' });
        const sent = list.items.filter((item) => !isOthers(item.metadata.name));
        expect(sent).toMatchObject([{ kind: kind.kind, apiVersion: kind.apiVersion, metadata: { name } }]);
      });

      it('is deleted, and is gone when the command ends', async () => {
        expect(await suite.kubectl.told(['delete', resource, name, ...where])).toContain(`"${name}" deleted`);
        expect((await suite.api.get(itemPath(kind, namespace, name))).code).toBe(404);
        expect(await suite.kubectl.run(['get', resource, name, ...where])).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('NotFound'),
        });
      });

      it('is watched', async () => {
        const { kubectl, api } = suite;
        await api.post(collectionPath(kind, namespace), kind.sample('w-1', namespace));
        const lines = (stdout: string) => stdout.split('\n').filter((line) => line !== '' && !isOthers(line.slice(line.indexOf('/') + 1)));
        let written = false;
        const { stdout, stderr } = await kubectl.follow(['get', resource, '-w', '-o', 'name', ...where], (soFar) => {
          if (!written && lines(soFar).length === 1) {
            written = true;
            void api.post(collectionPath(kind, namespace), kind.sample('w-2', namespace));
          }
          return lines(soFar).length >= 2;
        });
        expect({ lines: lines(stdout), stderr }).toEqual({ lines: [shown('w-1'), shown('w-2')], stderr: '' });
      });
    });
  },
  WITHOUT_FAIRNESS,
);
