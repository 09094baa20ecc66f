/** kubectl's ways to change what is there: apply from both sides, diff, patch, edit, label, annotate, set. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { KUBECTL_MINOR, type Run } from '../support/kubectl.ts';
import { temporaryDirectory, type TemporaryDirectory } from '../support/server.ts';
import { describeKubectl } from './describe-kubectl.ts';

/** Before 1.25 kubectl has no validation by the server, and reads cron jobs as v1beta1. */
const itSince = (minor: number) => (KUBECTL_MINOR >= minor ? it : it.skip);
const NAMESPACE = 'kubectl-changes';
const IN = ['--namespace', NAMESPACE] as const;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

interface CronJobView {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly manager: string; readonly operation: string; readonly subresource?: string }[];
  };
  readonly spec: {
    readonly schedule: string;
    readonly suspend?: boolean;
    readonly startingDeadlineSeconds?: number;
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } } };
  };
}

interface Wish {
  readonly schedule?: string;
  readonly suspend?: boolean;
  readonly startingDeadlineSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly containers?: readonly Container[];
}

const MAIN: Container = { name: 'main', image: 'registry.example.com/work:1.0' };

const manifest = (name: string, { schedule = '*/5 * * * *', labels, containers = [MAIN], ...spec }: Wish = {}): string =>
  stringify({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace: NAMESPACE, ...(labels === undefined ? {} : { labels }) },
    spec: { schedule, ...spec, jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure', containers } } } } },
  });

describeKubectl('kubectl, changing objects', (suite) => {
  let files: TemporaryDirectory;
  beforeAll(async () => {
    files = await temporaryDirectory();
  });
  afterAll(() => files.remove());

  const told = (args: readonly string[], input?: string) => suite.kubectl.told([...args, ...IN], input);
  const run = (args: readonly string[], input?: string): Promise<Run> =>
    suite.kubectl.run([...args, ...IN], input === undefined ? {} : { input });
  const apply = (text: string, ...flags: readonly string[]) => told(['apply', ...flags, '-f', '-'], text);
  const view = async (name: string): Promise<CronJobView> =>
    (await suite.api.get(`/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs/${name}`)).object() as unknown as CronJobView;
  const containersOf = ({ spec }: CronJobView) => spec.jobTemplate.spec.template.spec.containers;
  const managersOf = ({ metadata: { managedFields = [] } }: CronJobView) =>
    managedFields.map(({ manager, operation, subresource }) =>
      [manager, operation, ...(subresource === undefined ? [] : [subresource])].join(' '),
    );

  describe('apply', () => {
    it('merges what changed in the manifest with what others have changed', async () => {
      const before = {
        labels: { app: 'a', tier: 'batch' },
        startingDeadlineSeconds: 30,
        containers: [MAIN, { name: 'side', image: 'registry.example.com/side:1' }],
      };
      expect(await apply(manifest('merged', before))).toContain('created');
      await told(['patch', 'cronjob', 'merged', '--type=merge', '-p', '{"spec":{"suspend":true},"metadata":{"labels":{"by":"somebody"}}}']);
      expect(
        await apply(manifest('merged', { labels: { app: 'b' }, containers: [{ ...MAIN, image: 'registry.example.com/work:2.0' }] })),
      ).toContain('configured');
      const after = await view('merged');
      expect(after.metadata.labels).toEqual({ app: 'b', by: 'somebody' });
      expect(after.spec.suspend).toBe(true);
      expect(after.spec.startingDeadlineSeconds).toBeUndefined();
      expect(containersOf(after)).toMatchObject([{ name: 'main', image: 'registry.example.com/work:2.0' }]);
      expect(containersOf(after)).toHaveLength(1);
    });

    it('says unchanged and writes nothing when the manifest is the same', async () => {
      await apply(manifest('same'));
      const { resourceVersion } = (await view('same')).metadata;
      // One that does not know the version sends a merge patch with whole lists, which changes nothing.
      expect(await apply(manifest('same'))).toContain(KUBECTL_MINOR >= 25 ? 'unchanged' : 'configured');
      expect((await view('same')).metadata.resourceVersion).toBe(resourceVersion);
    });

    itSince(25)('refuses a manifest that has become wrong, and leaves the object as it was', async () => {
      await apply(manifest('guarded'));
      const { resourceVersion } = (await view('guarded')).metadata;
      const wrong = await run(['apply', '-f', '-'], manifest('guarded', { schedule: 'sometimes' }));
      expect(wrong.code).not.toBe(0);
      expect(wrong.stderr).toContain('spec.schedule');
      expect((await view('guarded')).metadata.resourceVersion).toBe(resourceVersion);
    });
  });

  describe('apply --server-side', () => {
    const applySide = (text: string, ...flags: readonly string[]) => apply(text, '--server-side', ...flags);

    itSince(25)('creates, changes, and finds nothing to do the second time', async () => {
      expect(await applySide(manifest('side'))).toContain('serverside-applied');
      const first = await view('side');
      expect(managersOf(first)).toEqual(['kubectl Apply']);
      await applySide(manifest('side'));
      expect((await view('side')).metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      await applySide(manifest('side', { schedule: '0 * * * *' }));
      expect((await view('side')).spec.schedule).toBe('0 * * * *');
    });

    itSince(25)('is told who owns what it may not change, and takes it with --force-conflicts', async () => {
      await applySide(manifest('owned'), '--field-manager=first');
      const refused = await run(
        ['apply', '--server-side', '--field-manager=second', '-f', '-'],
        manifest('owned', { schedule: '0 * * * *' }),
      );
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('conflict with "first"');
      expect(refused.stderr).toContain('.spec.schedule');
      await applySide(manifest('owned', { schedule: '0 * * * *' }), '--field-manager=second', '--force-conflicts');
      expect((await view('owned')).spec.schedule).toBe('0 * * * *');
    });

    itSince(25)('removes a field that is no longer applied, and keeps what others own', async () => {
      await applySide(manifest('pruned', { labels: { app: 'a', old: 'gone' }, startingDeadlineSeconds: 30 }));
      await told(['label', 'cronjob', 'pruned', 'by=somebody']);
      await applySide(manifest('pruned', { labels: { app: 'a' } }));
      const after = await view('pruned');
      expect(after.metadata.labels).toEqual({ app: 'a', by: 'somebody' });
      expect(after.spec.startingDeadlineSeconds).toBeUndefined();
    });

    itSince(26)('takes over an object that was applied from the client before', async () => {
      await apply(manifest('moved', { labels: { app: 'a', old: 'gone' } }));
      await applySide(manifest('moved', { labels: { app: 'a' }, schedule: '0 * * * *' }));
      const after = await view('moved');
      expect(after.metadata.labels).toEqual({ app: 'a' });
      expect(after.spec.schedule).toBe('0 * * * *');
    });

    itSince(25)('shows with diff --server-side what would change, and changes nothing', async () => {
      await applySide(manifest('compared'));
      const { resourceVersion } = (await view('compared')).metadata;
      expect((await run(['diff', '--server-side', '-f', '-'], manifest('compared'))).code).toBe(0);
      const differs = await run(['diff', '--server-side', '-f', '-'], manifest('compared', { schedule: '0 * * * *' }));
      expect(differs.code).toBe(1);
      expect(differs.stdout).toMatch(/^\+ +schedule: 0 \* \* \* \*$/m);
      expect((await view('compared')).metadata.resourceVersion).toBe(resourceVersion);
    });
  });

  itSince(25)('diff shows what an apply would change, and changes nothing', async () => {
    await apply(manifest('diffed'));
    const { resourceVersion } = (await view('diffed')).metadata;
    const differs = await run(['diff', '-f', '-'], manifest('diffed', { suspend: true }));
    expect(differs.code).toBe(1);
    expect(differs.stdout).toMatch(/^\+ +suspend: true$/m);
    expect((await view('diffed')).metadata.resourceVersion).toBe(resourceVersion);
  });

  describe('patch', () => {
    const patch = (type: string, name: string, body: unknown, ...flags: readonly string[]) =>
      told(['patch', 'cronjob', name, `--type=${type}`, ...flags, '-p', JSON.stringify(body)]);
    const inPod = (containers: readonly object[]) => ({ spec: { jobTemplate: { spec: { template: { spec: { containers } } } } } });

    it('changes one container of many by its name with a strategic patch', async () => {
      await apply(manifest('strategic', { containers: [MAIN, { name: 'side', image: 'registry.example.com/side:1' }] }));
      await patch('strategic', 'strategic', inPod([{ name: 'side', image: 'registry.example.com/side:2' }]));
      expect(containersOf(await view('strategic')).map(({ name, image }) => `${name} ${image}`)).toEqual([
        'main registry.example.com/work:1.0',
        'side registry.example.com/side:2',
      ]);
    });

    it('replaces a list as a whole with a merge patch', async () => {
      await apply(manifest('merge', { containers: [MAIN, { name: 'side', image: 'registry.example.com/side:1' }] }));
      await patch('merge', 'merge', inPod([{ name: 'only', image: 'registry.example.com/only:1' }]));
      expect(containersOf(await view('merge')).map(({ name }) => name)).toEqual(['only']);
    });

    it('follows the operations of a JSON patch, all or none', async () => {
      await apply(manifest('json'));
      await patch('json', 'json', [
        { op: 'test', path: '/spec/schedule', value: '*/5 * * * *' },
        { op: 'replace', path: '/spec/schedule', value: '0 * * * *' },
        { op: 'add', path: '/metadata/annotations/example.com~1note', value: 'patched' },
      ]);
      const { spec, metadata } = await view('json');
      expect(spec.schedule).toBe('0 * * * *');
      expect(metadata.annotations?.['example.com/note']).toBe('patched');
      const failed = await run([
        'patch',
        'cronjob',
        'json',
        '--type=json',
        '-p',
        '[{"op":"add","path":"/spec/suspend","value":true},{"op":"test","path":"/spec/schedule","value":"x"}]',
      ]);
      expect(failed.code).not.toBe(0);
      expect((await view('json')).metadata.resourceVersion).toBe(metadata.resourceVersion);
    });

    itSince(24)('changes the status and nothing else through the subresource', async () => {
      await apply(manifest('status'));
      await told([
        'patch',
        'cronjob',
        'status',
        '--subresource=status',
        '--type=merge',
        '-p',
        '{"status":{"lastScheduleTime":"2026-11-20T10:00:00Z"},"spec":{"schedule":"0 0 * * *"}}',
      ]);
      const after = await view('status');
      expect(after).toMatchObject({ spec: { schedule: '*/5 * * * *' }, status: { lastScheduleTime: '2026-11-20T10:00:00Z' } });
      expect(managersOf(after)).toContain('kubectl-patch Update status');
    });
  });

  it('labels and annotates, and takes labels and annotations away', async () => {
    await apply(manifest('marked'));
    await told(['label', 'cronjob', 'marked', 'a=1', 'b=2']);
    await told(['label', 'cronjob', 'marked', 'a=3', 'b-', '--overwrite']);
    await told(['annotate', 'cronjob', 'marked', 'example.com/note=one']);
    await told(['annotate', 'cronjob', 'marked', 'example.com/note=two', '--overwrite']);
    const { labels, annotations } = (await view('marked')).metadata;
    expect(labels).toEqual({ a: '3' });
    expect(annotations?.['example.com/note']).toBe('two');
  });

  it('edits an object in an editor', async () => {
    await apply(manifest('edited'));
    const editor = join(files.path, `editor-${suite.backend}.sh`);
    await writeFile(editor, '#!/bin/sh\nsed -i "s|schedule: .*|schedule: 30 1 * * *|" "$1"\n');
    await chmod(editor, 0o755);
    const edit = await suite.kubectl.run(['edit', 'cronjob', 'edited', ...IN], { env: { KUBE_EDITOR: editor } });
    expect(edit).toMatchObject({ code: 0, stdout: expect.stringContaining('edited') as unknown });
    expect((await view('edited')).spec.schedule).toBe('30 1 * * *');
  });

  itSince(21)('sets an image and the environment', async () => {
    await apply(manifest('set'));
    await told(['set', 'image', 'cronjob/set', 'main=registry.example.com/work:9']);
    await told(['set', 'env', 'cronjob/set', 'MODE=fast']);
    expect(containersOf(await view('set'))).toMatchObject([
      { image: 'registry.example.com/work:9', env: [{ name: 'MODE', value: 'fast' }] },
    ]);
  });

  it('replaces an object with a manifest', async () => {
    await apply(manifest('replaced', { suspend: true }));
    await told(['replace', '-f', '-'], manifest('replaced', { schedule: '0 3 * * *' }));
    const { spec } = await view('replaced');
    expect(spec.schedule).toBe('0 3 * * *');
    expect(spec.suspend).toBe(false);
  });

  it('shows managed fields when asked, and hides them else', async () => {
    await apply(manifest('shown'));
    const shown: unknown = parse(
      await told(['get', 'cronjob', 'shown', '-o', 'yaml', ...(KUBECTL_MINOR >= 21 ? ['--show-managed-fields'] : [])]),
    );
    expect(shown).toMatchObject({
      metadata: {
        managedFields: [{ manager: 'kubectl-client-side-apply', operation: 'Update', apiVersion: 'batch/v1', fieldsType: 'FieldsV1' }],
      },
    });
  });
});
