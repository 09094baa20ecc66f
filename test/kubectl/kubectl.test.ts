/** kubectl, unmodified, against the process: what works as early as 1.20 (Debian 12). */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiObject } from '../support/api-object.ts';
import { KINDS, collectionPath, itemPath, type KindCase, type SampleObject } from '../support/kinds.ts';
import { openKubectl, type Kubectl } from '../support/kubectl.ts';
import { describeServer } from '../support/stores.ts';

const examples = resolve(import.meta.dirname, '../../examples');

describeServer('kubectl', (api) => {
  let kubectl: Kubectl;
  beforeAll(async () => {
    kubectl = await openKubectl({ server: () => api.baseUrl });
  }, 200_000);
  afterAll(() => kubectl.close());

  /** What it printed; throws what it complained about. */
  const told = async (args: readonly string[], input?: string): Promise<string> => {
    const result = await kubectl.run(args, input === undefined ? {} : { input });
    if (result.code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${result.code} ${result.stderr}`);
    return result.stdout;
  };
  /** The full name, since `events` alone is another group's for kubectl. */
  const resource = ({ resource: name, group, apiVersion }: KindCase) => `${name}.${apiVersion.split('/')[1] ?? ''}.${group}`;

  describe.each(KINDS)('$kind', (kind) => {
    const namespace = `kubectl-${kind.resource}`;
    const where = kind.namespaced ? ['--namespace', namespace] : [];
    const name = kind.sample('k', namespace).metadata.name;
    const full = `${kind.resource.replace(/s$/, '')}.${kind.group}/${name}`;

    it('is created from a file, read as JSON, replaced and deleted', async () => {
      const sample = kind.sample('k', namespace);
      expect(await told(['create', '-f', '-', '--validate=false'], JSON.stringify(sample))).toBe(`${full} created\n`);

      const read = JSON.parse(await told(['get', resource(kind), name, '-o', 'json', ...where])) as ApiObject;
      expect(read).toEqual((await api.get(itemPath(kind, namespace, name))).object());

      const changed = kind.change(read as unknown as SampleObject, 1);
      expect(await told(['replace', '-f', '-', '--validate=false'], JSON.stringify(changed))).toBe(`${full} replaced\n`);
      expect((await api.get(itemPath(kind, namespace, name))).object().metadata.resourceVersion).not.toBe(read.metadata.resourceVersion);

      const list = JSON.parse(await told(['get', resource(kind), '-o', 'json', ...where])) as { kind: string; items: readonly ApiObject[] };
      expect(list).toMatchObject({ kind: 'List', items: [{ kind: kind.kind, apiVersion: kind.apiVersion, metadata: { name } }] });

      expect(await told(['delete', resource(kind), name, ...where])).toContain(`"${name}" deleted`);
      expect(await kubectl.run(['get', resource(kind), name, ...where])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('NotFound'),
      });
    });

    it('is watched by name', async () => {
      await api.post(collectionPath(kind, namespace), kind.sample('w-1', namespace));
      const lines = (stdout: string) => stdout.split('\n').filter((line) => line !== '');
      let written = false;
      const result = await kubectl.follow(['get', resource(kind), '-w', '-o', 'name', ...where], (stdout) => {
        if (!written && lines(stdout).length === 1) {
          written = true;
          void api.post(collectionPath(kind, namespace), kind.sample('w-2', namespace));
        }
        return lines(stdout).length >= 2;
      });
      const watched = ['w-1', 'w-2'].map(
        (each) => `${kind.resource.replace(/s$/, '')}.${kind.group}/${kind.sample(each, namespace).metadata.name}`,
      );
      expect({ lines: lines(result.stdout), stderr: result.stderr }).toEqual({ lines: watched, stderr: '' });
    });
  });

  it('creates and deletes everything in examples/', async () => {
    const created = await told(['create', '--validate=false', '-f', examples]);
    expect(created.trim().split('\n')).toHaveLength(KINDS.length);
    const text = await readFile(resolve(examples, 'cronjob.yaml'), 'utf8');
    expect((await kubectl.run(['create', '--validate=false', '-f', '-'], { input: text })).stderr).toContain('AlreadyExists');
    expect((await told(['delete', '-f', examples])).trim().split('\n')).toHaveLength(KINDS.length);
  });

  it('applies everything in examples/ that does not exist yet', async () => {
    const results = (await told(['apply', '--validate=false', '-f', examples]))
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[1]);
    expect(results).toEqual(KINDS.map(() => 'created'));
    await told(['delete', '-f', examples]);
  });

  it('shows its own version and the server’s', async () => {
    expect(JSON.parse(await told(['version', '-o', 'json']))).toMatchObject({ serverVersion: { major: '1' } });
  });

  it('lists what the server has', async () => {
    const names = await told(['api-resources', '-o', 'name']);
    for (const kind of KINDS) expect(names.split('\n')).toContain(`${kind.resource}.${kind.group}`);
  });

  it('deletes by label', async () => {
    const kind = KINDS[3] as KindCase;
    for (const name of ['one', 'two', 'three']) {
      const sample = kind.sample(name, 'kubectl-labels');
      await api.post(collectionPath(kind, 'kubectl-labels'), {
        ...sample,
        metadata: { ...sample.metadata, labels: { keep: String(name === 'two') } },
      });
    }
    await told(['delete', 'cronjobs', '-l', 'keep=false', '--namespace', 'kubectl-labels']);
    expect(await told(['get', 'cronjobs', '-o', 'name', '--namespace', 'kubectl-labels'])).toBe('cronjob.batch/two\n');
  });
});
