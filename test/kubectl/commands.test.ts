/** kubectl's commands, and honestly, what they are told where the server cannot do it yet. */
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';
import { createReviews } from '../../pkg/apis/reviews.gen.ts';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { CRON_JOB, KINDS, POD_DISRUPTION_BUDGET, collectionPath, itemPath, type SampleObject } from '../support/kinds.ts';
import { KUBECTL_MINOR } from '../support/kubectl.ts';
import { waitFor } from '../support/wait.ts';
import { describeKubectl } from './describe-kubectl.ts';

const examples = resolve(import.meta.dirname, '../../examples');
/** Before 1.25 kubectl reads OpenAPI v2 only, and cron jobs as v1beta1. */
const itSince = (minor: number) => (KUBECTL_MINOR >= minor ? it : it.skip);
const lines = (text: string) => text.split('\n').filter(Boolean);
const labelled = (name: string, namespace: string, labels: Readonly<Record<string, string>>): SampleObject => {
  const sample = CRON_JOB.sample(name, namespace);
  return { ...sample, metadata: { ...sample.metadata, labels } };
};

describeKubectl('kubectl', (suite) => {
  const told = (...args: readonly string[]) => suite.kubectl.told(args);
  const refused = async (args: readonly string[], input?: string): Promise<string> => {
    const result = await suite.kubectl.run(args, input === undefined ? {} : { input });
    if (result.code === 0) throw new Error(`kubectl ${args.join(' ')} was not refused: ${result.stdout}`);
    return result.stderr;
  };

  describe('manifests', () => {
    it('creates and deletes everything in examples/', async () => {
      expect(lines(await told('create', '-f', examples))).toHaveLength(KINDS.length);
      expect(await refused(['create', '-f', join(examples, 'cronjob.yaml')])).toContain('AlreadyExists');
      expect(lines(await told('delete', '-f', examples))).toHaveLength(KINDS.length);
      expect(await refused(['get', '-f', join(examples, 'cronjob.yaml')])).toContain('NotFound');
    });

    it('applies everything in examples/, and finds it unchanged the next time', async () => {
      const apply = async (...args: readonly string[]) => lines(await told('apply', ...args)).map((line) => line.replace(/\/\S+/, ''));
      const created = await apply('-f', examples);
      expect(created.filter((line) => line.endsWith(' created'))).toHaveLength(KINDS.length);
      const versions = () => told('get', '-f', examples, '-o', 'jsonpath={.items[*].metadata.resourceVersion}');
      const before = await versions();
      // The selector of a PodDisruptionBudget is replaced as a whole: kubectl sends a PATCH for it even when nothing
      // differs. One that does not know the version sends a merge patch, with whole lists, for the cron job.
      const again = await apply('-f', examples);
      expect(again.filter((line) => !line.endsWith(' unchanged'))).toEqual([
        KUBECTL_MINOR >= 25 ? 'poddisruptionbudget.policy configured' : 'cronjob.batch configured',
      ]);
      expect(await versions()).toBe(before);
      await told('delete', '-f', examples);
    });

    itSince(21)('creates what it makes itself, which it sends as protobuf', async () => {
      const namespace = 'kubectl-made';
      const cronJob = [
        'create',
        'cronjob',
        'made',
        '--image',
        'registry.example.com/work:1.0',
        '--schedule',
        '@daily',
        '--namespace',
        namespace,
      ];
      expect(await told(...cronJob, '--dry-run=server')).toBe('cronjob.batch/made created (server dry run)\n');
      expect(await told(...cronJob)).toBe('cronjob.batch/made created\n');
      expect(await refused(cronJob)).toContain('cronjobs.batch "made" already exists');
      expect(await refused(cronJob.map((word) => (word === '@daily' ? 'never' : word)))).toContain('spec.schedule: Invalid value: "never"');
      const budget = [
        'create',
        'poddisruptionbudget',
        'made',
        '--selector',
        'app=made',
        '--min-available',
        '50%',
        '--namespace',
        namespace,
      ];
      expect(await told(...budget)).toBe('poddisruptionbudget.policy/made created\n');
      expect(await told('get', 'pdb', 'made', '--namespace', namespace, '-o', 'jsonpath={.spec}')).toBe(
        '{"minAvailable":"50%","selector":{"matchLabels":{"app":"made"}}}',
      );
    });

    itSince(27)('creates a file of kind List, and checks what is in it', async () => {
      const namespace = 'kubectl-list';
      const items = ['l-1', 'l-2'].map((name) => CRON_JOB.sample(name, namespace));
      const list = stringify({ apiVersion: 'v1', kind: 'List', items });
      expect(await refused(['create', '-f', '-'], list.replace('schedule:', 'shedule:'))).toContain('unknown field "shedule"');
      expect(lines(await suite.kubectl.told(['create', '-f', '-'], list))).toEqual([
        'cronjob.batch/l-1 created',
        'cronjob.batch/l-2 created',
      ]);
    });

    itSince(25)('refuses unknown fields by their paths', async () => {
      const sample = CRON_JOB.sample('strict', 'kubectl-strict');
      const wrong = stringify({ ...sample, spec: { ...(sample['spec'] as object), schedul: '* * * * *' } });
      expect(await refused(['create', '-f', '-'], wrong)).toContain('strict decoding error: unknown field "spec.schedul"');
      expect(await refused(['get', 'cronjob', 'strict', '--namespace', 'kubectl-strict'])).toContain('NotFound');
    });

    itSince(25)('shows every cause of a refusal', async () => {
      const sample = CRON_JOB.sample('wrong', 'kubectl-wrong');
      const template = { spec: { restartPolicy: 'Never', containers: [{ image: 'registry.example.com/work:1.0' }] } };
      const wrong = stringify({
        ...sample,
        spec: { schedule: '@daily', concurrencyPolicy: 'Never', jobTemplate: { spec: { template } } },
      });
      const message = await refused(['create', '-f', '-'], wrong);
      expect(message).toContain('spec.concurrencyPolicy: Unsupported value: "Never"');
      expect(message).toContain('spec.jobTemplate.spec.template.spec.containers[0].name: Required value');
    });

    itSince(25)('keeps nothing of a dry run', async () => {
      const manifest = stringify(CRON_JOB.sample('dry', 'kubectl-dry'));
      expect(await suite.kubectl.told(['create', '-f', '-', '--dry-run=server'], manifest)).toBe(
        'cronjob.batch/dry created (server dry run)\n',
      );
      expect(await suite.kubectl.told(['create', '-f', '-', '--dry-run=server', '-o', 'name'], manifest)).toBe('cronjob.batch/dry\n');
      expect((await suite.api.get(itemPath(CRON_JOB, 'kubectl-dry', 'dry'))).code).toBe(404);
    });

    itSince(25)('shows the whole of a new object as a difference', async () => {
      const result = await suite.kubectl.run(['diff', '-f', '-'], { input: stringify(CRON_JOB.sample('new', 'kubectl-diff')) });
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 1, stderr: '' });
      expect(lines(result.stdout)).toEqual(expect.arrayContaining(['+kind: CronJob', '+  name: new']));
    });
  });

  describe('get', () => {
    const namespace = 'kubectl-get';
    const names = ['a', 'b', 'c', 'd', 'e'];
    beforeAll(async () => {
      const { api } = suite;
      for (const name of names) {
        await api.post(collectionPath(CRON_JOB, namespace), labelled(name, namespace, { odd: String(names.indexOf(name) % 2 === 0) }));
      }
      await api.post(collectionPath(POD_DISRUPTION_BUDGET, namespace), POD_DISRUPTION_BUDGET.sample('p', namespace));
    });
    const get = async (...args: readonly string[]) => lines(await told('get', ...args, '-o', 'name'));

    it('selects by label', async () => {
      expect(await get('cj', '-A', '-l', 'odd=false')).toEqual(['cronjob.batch/b', 'cronjob.batch/d']);
    });

    it('selects by field', async () => {
      expect(await get('cronjobs', '--namespace', namespace, '--field-selector', 'metadata.name=c')).toEqual(['cronjob.batch/c']);
      expect(await refused(['get', 'cronjobs', '--field-selector', 'spec.color=red'])).toContain('spec.color');
    });

    it('reads a list page by page', async () => {
      const all = names.map((name) => `cronjob.batch/${name}`);
      expect(await get('cronjobs', '--namespace', namespace, '--chunk-size', '2')).toEqual(all);
      const { stderr } = await suite.kubectl.run(['get', 'cronjobs', '--namespace', namespace, '--chunk-size', '2', '-v', '8']);
      expect(stderr.match(/[?&]continue=[^&"]+&limit=2/g)).toHaveLength(2);
    });

    it('shows several kinds at once', async () => {
      expect(await get('cronjobs,pdb', '--namespace', namespace)).toEqual([
        ...names.map((name) => `cronjob.batch/${name}`),
        'poddisruptionbudget.policy/p',
      ]);
      expect(await get('all', '--namespace', namespace)).toEqual(names.map((name) => `cronjob.batch/${name}`));
    });

    it('shows all namespaces in a table, with labels and sorted', async () => {
      const table = lines(await told('get', 'cronjobs', '-A', '-l', 'odd', '--show-labels', '--sort-by', '{.metadata.uid}'));
      expect(table).toHaveLength(names.length + 1);
      expect(table[0]).toMatch(/^NAMESPACE +NAME +SCHEDULE +TIMEZONE +SUSPEND +ACTIVE +LAST SCHEDULE +AGE +LABELS$/);
      for (const line of table.slice(1)) {
        expect(line).toMatch(/^kubectl-get +[a-e] +\*\/5 \* \* \* \* +<none> +False +0 +<none> +\d+[sm]\S* +odd=(true|false)$/);
      }
    });

    it('follows changes in a table', async () => {
      // A list: of a single object kubectl drops the first event, which may be the change.
      const other = 'kubectl-get-watch';
      await suite.api.post(collectionPath(CRON_JOB, other), CRON_JOB.sample('w', other));
      let put: Promise<number> | undefined;
      const { stdout } = await suite.kubectl.follow(['get', 'cronjobs', '--namespace', other, '-w'], (soFar) => {
        if (put === undefined && lines(soFar).length === 2) {
          const sample = CRON_JOB.sample('w', other);
          const changed = { ...sample, spec: { ...(sample['spec'] as object), suspend: true } };
          put = suite.api.put(itemPath(CRON_JOB, other, 'w'), changed).then(({ code }) => code);
        }
        return soFar.split('\n').length > 3; // three whole lines
      });
      expect(await put).toBe(200);
      expect(lines(stdout).map((line) => line.split(/ {3,}/)[3])).toEqual(['SUSPEND', 'False', 'True']);
    });

    it('says which object is missing, or that its namespace is', async () => {
      const missing = ['get', 'cronjob', 'nowhere', '--namespace'];
      expect(await refused([...missing, 'default'])).toContain('cronjobs.batch "nowhere" not found');
      expect(await refused([...missing, 'kubectl-missing'])).toContain('namespaces "kubectl-missing" not found');
    });

    it('reads any path', async () => {
      expect(JSON.parse(await told('get', '--raw', '/apis/batch/v1'))).toMatchObject({ kind: 'APIResourceList', groupVersion: 'batch/v1' });
      expect(await told('get', '--raw', '/readyz')).toBe('ok');
    });

    itSince(25)('describes an object', async () => {
      expect(await told('describe', 'cronjob', 'a', '--namespace', namespace)).toMatch(/^Schedule: +\*\/5 \* \* \* \*$/m);
    });
  });

  describe('delete', () => {
    const namespace = 'kubectl-delete';

    it('deletes by label', async () => {
      for (const name of ['one', 'two', 'three']) {
        await suite.api.post(collectionPath(CRON_JOB, namespace), labelled(name, namespace, { keep: String(name === 'two') }));
      }
      await told('delete', 'cronjobs', '-l', 'keep=false', '--namespace', namespace);
      expect(await told('get', 'cronjobs', '-o', 'name', '--namespace', namespace)).toBe('cronjob.batch/two\n');
      await told('delete', 'cronjobs', '--all', '--namespace', namespace);
      expect(await told('get', 'cronjobs', '-o', 'name', '--namespace', namespace)).toBe('');
    });

    it('waits until the last finalizer is gone, as does wait --for=delete', async () => {
      const { api, kubectl } = suite;
      const path = itemPath(CRON_JOB, namespace, 'held');
      const sample = CRON_JOB.sample('held', namespace);
      await api.post(collectionPath(CRON_JOB, namespace), {
        ...sample,
        metadata: { ...sample.metadata, finalizers: ['example.com/hold'] },
      });
      const deleting = kubectl.run(['delete', 'cronjob', 'held', '--namespace', namespace]);
      await waitFor(async () => (await api.get(path)).object().metadata.deletionTimestamp !== undefined, { what: 'the deletion to begin' });
      const waitForIt = (seconds: number) => ['wait', '--for=delete', 'cronjob/held', '--namespace', namespace, `--timeout=${seconds}s`];
      expect(await refused(waitForIt(1))).toContain('timed out');
      const waiting = kubectl.run(waitForIt(15));
      const held = (await api.get(path)).object();
      await api.put(path, { ...held, metadata: { ...held.metadata, finalizers: [] } });
      expect((await deleting).code).toBe(0);
      // An old kubectl takes an object that is gone before it looks for a failure.
      if (KUBECTL_MINOR >= 25) expect((await waiting).code).toBe(0);
      await waiting;
    });

    itSince(25)('waits for a value', async () => {
      await suite.api.post(collectionPath(CRON_JOB, namespace), CRON_JOB.sample('waited', namespace));
      const waiting = told('wait', '--for', 'jsonpath={.spec.suspend}=false', 'cronjob/waited', '--namespace', namespace, '--timeout=15s');
      expect(await waiting).toBe('cronjob.batch/waited condition met\n');
    });
  });

  describe('what the server is', () => {
    it('shows its own version and the server’s', async () => {
      expect(JSON.parse(await told('version', '-o', 'json'))).toMatchObject({ serverVersion: { major: '1', minor: '36' } });
    });

    it('lists resources and versions', async () => {
      const names = lines(await told('api-resources', '-o', 'name'));
      const reviews = createReviews({ groupSuffix: DEFAULT_GROUP_SUFFIX }).flatMap(({ definition: { resource, group, parent } }) =>
        parent === undefined ? [`${resource}.${group}`] : [],
      );
      expect(names.sort()).toEqual(
        [...KINDS.map(({ resource, group }) => (group === '' ? resource : `${resource}.${group}`)), 'events', ...reviews].sort(),
      );
      const table = await told('api-resources', '-o', 'wide');
      expect(table).toMatch(/^cronjobs +cj +batch\/v1 +true +CronJob +\[?create.*watch/m);
      expect(table).toMatch(/^poddisruptionbudgets +pdb +policy\/v1 +true +PodDisruptionBudget /m);
      const versions = lines(await told('api-versions'));
      expect(versions).toEqual(expect.arrayContaining(KINDS.map(({ apiVersion }) => apiVersion)));
    });

    itSince(25)('explains fields', async () => {
      const recursive = await told('explain', 'cronjob.spec.jobTemplate', '--recursive');
      expect(recursive).toMatch(/^FIELD: jobTemplate <JobTemplateSpec>$/m);
      expect(recursive).toMatch(/^ +containers\t<\[\]Container> -required-$/m);
      for (const { resource, kind } of KINDS.filter(({ resource: name }) => name !== 'events')) {
        const explained = await told('explain', resource);
        expect(explained).toMatch(new RegExp(`^KIND: +${kind}$`, 'm'));
        expect(explained).not.toContain('<empty>');
      }
    });
  });

  describe('auth', () => {
    it('says that an admin may do it, whatever it is', async () => {
      expect(await told('auth', 'can-i', 'create', 'cronjobs')).toBe('yes\n');
      expect(await told('auth', 'can-i', 'update', 'cronjobs/any', '--subresource', 'status', '--all-namespaces')).toBe('yes\n');
      expect(await told('auth', 'can-i', 'get', '/metrics')).toBe('yes\n');
    });

    it('lists what may be done', async () => {
      const rules = lines(await told('auth', 'can-i', '--list')).map((line) => line.trim().split(/ {3,}/));
      expect(rules).toEqual(
        expect.arrayContaining([
          ['*.*', '[]', '[]', '[*]'],
          ['[*]', '[]', '[*]'],
          ['[/readyz/*]', '[]', '[get]'],
        ]),
      );
    });

    itSince(28)('says who one is', async () => {
      const { status } = JSON.parse(await told('auth', 'whoami', '-o', 'json')) as { readonly status: unknown };
      expect(status).toMatchObject({ userInfo: { username: 'coxswain-admin', groups: ['system:masters', 'system:authenticated'] } });
    });

    itSince(24)('gives tokens of ServiceAccounts', async () => {
      await told('create', 'serviceaccount', 'bot');
      const token = await told('create', 'token', 'bot', '--audience', 'vault', '--duration', '20m');
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Readonly<Record<string, unknown>>;
      expect(claims).toMatchObject({ aud: ['vault'], sub: 'system:serviceaccount:default:bot' });
      expect(Number(claims['exp']) - Number(claims['iat'])).toBe(1200);
    });

    itSince(28)('can be asked as another user', async () => {
      expect(await told('auth', 'can-i', 'create', 'cronjobs', '--as', 'alice', '--as-group', 'system:masters')).toBe('yes\n');
      expect(await refused(['get', 'cronjobs', '--as', 'alice'])).toContain('User "alice" cannot list resource "cronjobs"');
      const whoami = await told('auth', 'whoami', '--as', 'alice', '--as-group', 'dev', '--as-uid', 'u1', '-o', 'json');
      expect((JSON.parse(whoami) as { status: unknown }).status).toEqual({
        userInfo: { username: 'alice', uid: 'u1', groups: ['dev', 'system:authenticated'] },
      });
    });
  });

  describe('what needs parts that are not there yet', () => {
    it('services, for cluster-info', async () => {
      expect(await refused(['cluster-info'])).toContain('services');
    });
  });
});
