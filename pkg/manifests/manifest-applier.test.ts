import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../test/registry/manual-clock.ts';
import { waitFor } from '../../test/support/wait.ts';
import { YamlReader } from '../apimachinery/yaml/yaml-reader.ts';
import { silentLog } from '../observability/logging.ts';
import { openManifestApplier, type ManifestApplier } from './manifest-applier.ts';
import { displayName } from './manifest-object.ts';

const yaml = new YamlReader();
afterAll(() => yaml.close());

let folder: string;
let applier: ManifestApplier | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coxswain-manifests-'));
});
afterEach(async () => {
  await applier?.close();
  applier = undefined;
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const configMap = (name: string, data = 'x') => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {a: ${data}}}\n`;
const NAMESPACE = '{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n';

/** `refusals`: reasons by the object's name. */
function open({ refusals = {}, after = Promise.resolve() }: { refusals?: Record<string, string>; after?: Promise<unknown> } = {}) {
  const clock = new ManualClock(0);
  const applied: string[] = [];
  const problems: number[] = [];
  const errors: object[] = [];
  applier = openManifestApplier({
    folder,
    apply: async (object) => {
      const refusal = refusals[object.name];
      if (refusal !== undefined) {
        applied.push(`${displayName(object)}: ${refusal}`);
        throw new Error(refusal);
      }
      applied.push(displayName(object));
      return { created: true };
    },
    yaml,
    after,
    clock,
    log: {
      ...silentLog,
      error: (_, fields = {}) => errors.push({ ...fields, ...('file' in fields ? { file: basename(String(fields['file'])) } : {}) }),
    },
    onApply: () => undefined,
    onProblems: (count) => problems.push(count),
  });
  /** Once it sleeps: all is done that was to be done. */
  const settle = () => waitFor(() => clock.sleepers === 1, { what: () => `a pause, after ${applied.join(', ')}` });
  const next = async () => {
    await settle();
    clock.advance(1000);
    // It is woken in this tick, and sleeps again when it has looked at the folder.
    await settle();
  };
  /** What was applied meanwhile. */
  const taken = () => applied.splice(0);
  return { clock, settle, next, taken, problems, errors, refusals };
}

describe('Manifests', () => {
  it('are applied by the names of their files, Namespaces first', async () => {
    await write('b.yaml', `${configMap('b1')}---\n${configMap('b2')}`);
    await write('a.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop"}}');
    await write('c.yml', NAMESPACE);
    const { settle, taken, problems } = open();
    await settle();
    expect(taken()).toEqual(['Namespace shop', 'ConfigMap shop/a', 'ConfigMap b1', 'ConfigMap b2']);
    expect(problems.at(-1)).toBe(0);
  });

  it('are only files with the extensions of manifests, in the folder itself', async () => {
    await mkdir(join(folder, 'below.yaml'));
    await writeFile(join(folder, 'below.yaml', 'a.yaml'), configMap('below'));
    for (const name of ['a.txt', '.hidden.yaml', 'a.yaml~', 'README', '.yaml']) await write(name, configMap('other'));
    await write('a.yaml', configMap('a'));
    const { settle, taken } = open();
    await settle();
    expect(taken()).toEqual(['ConfigMap a']);
  });

  it('are not applied before clients may write', async () => {
    await write('a.yaml', configMap('a'));
    const gate = Promise.withResolvers<undefined>();
    const { settle, taken } = open({ after: gate.promise });
    expect(taken()).toEqual([]);
    gate.resolve(undefined);
    await settle();
    expect(taken()).toEqual(['ConfigMap a']);
  });

  it('are applied again when a file changes, comes or goes, once it has settled', async () => {
    await write('a.yaml', configMap('a'));
    const { settle, next, taken } = open();
    await settle();
    taken();
    await next();
    expect(taken()).toEqual([]);
    await write('b.yaml', configMap('b'));
    await next();
    expect(taken()).toEqual([]);
    await next();
    expect(taken()).toEqual(['ConfigMap a', 'ConfigMap b']);
    await unlink(join(folder, 'a.yaml'));
    await next();
    await next();
    expect(taken()).toEqual(['ConfigMap b']);
  });

  it('in the volume of a ConfigMap are followed through its links', async () => {
    const publish = async (version: string, name: string) => {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, 'a.yaml'), configMap(name));
      await symlink(version, join(folder, '..data_tmp'));
      await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    await publish('..2026_01', 'one');
    await symlink('..data/a.yaml', join(folder, 'a.yaml'));
    const { settle, next, taken } = open();
    await settle();
    expect(taken()).toEqual(['ConfigMap one']);
    await publish('..2026_02', 'two');
    await next();
    await next();
    expect(taken()).toEqual(['ConfigMap two']);
  });

  it('that are broken are told of, and do not keep back the rest', async () => {
    await write('a.yaml', `${configMap('a')}---\nkind: ConfigMap\n`);
    await write('b.yaml', 'a: [b');
    await symlink('nowhere', join(folder, 'c.yaml'));
    await write('d.yaml', configMap('d'));
    const { settle, next, taken, problems, errors } = open();
    await settle();
    expect(taken()).toEqual(['ConfigMap a', 'ConfigMap d']);
    expect(errors).toEqual([
      { file: 'a.yaml', line: 3, reason: 'apiVersion is missing' },
      { file: 'b.yaml', line: 1, reason: expect.any(String) },
      { file: 'c.yaml', reason: 'the file cannot be read: there is no such file' },
    ]);
    expect(problems.at(-1)).toBe(3);
    for (const name of ['a.yaml', 'b.yaml', 'c.yaml']) await rm(join(folder, name));
    await next();
    await next();
    expect(problems.at(-1)).toBe(0);
  });

  it('that fail are tried again with growing pauses, and told of once', async () => {
    await write('a.yaml', `${configMap('a')}---\n${configMap('b')}`);
    const { settle, next, taken, problems, errors, refusals } = open({ refusals: { a: 'not yet' } });
    await settle();
    expect(taken()).toEqual(['ConfigMap a: not yet', 'ConfigMap b']);
    const attempts: number[] = [];
    for (let second = 1; second <= 7; second++) {
      await next();
      if (taken().length > 0) attempts.push(second);
    }
    expect(attempts).toEqual([1, 3, 7]);
    expect(errors).toEqual([{ file: 'a.yaml', line: 1, object: 'ConfigMap a', reason: 'not yet' }]);
    expect(problems.at(-1)).toBe(1);
    delete refusals['a'];
    for (let second = 8; second <= 15; second++) await next();
    expect(taken()).toEqual(['ConfigMap a']);
    expect(problems.at(-1)).toBe(0);
  });

  it('whose folder goes away are left, and the folder is told of', async () => {
    const gone = `${folder}-gone`;
    const { settle, next, problems, errors } = open();
    await settle();
    await rename(folder, gone);
    await next();
    await next();
    expect(errors).toEqual([{ file: basename(folder), reason: expect.stringContaining('ENOENT') }]);
    expect(problems.at(-1)).toBe(1);
    await rename(gone, folder);
    await next();
    await next();
    expect(problems.at(-1)).toBe(0);
  });
});
