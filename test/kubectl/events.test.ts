/** Events as people see them: kubectl reads and writes them in the core version. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CRON_JOB } from '../support/kinds.ts';
import { KUBECTL_MINOR } from '../support/kubectl.ts';
import { describeKubectl } from './describe-kubectl.ts';

const itSince = (minor: number) => (KUBECTL_MINOR >= minor ? it : it.skip);
const namespace = 'kubectl-events';
const inNamespace = ['--namespace', namespace];
const event = (name: string, about: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace },
  involvedObject: { apiVersion: 'batch/v1', kind: 'CronJob', namespace, ...about },
  reason: 'SuccessfulCreate',
  message: `Created job ${name}`,
  source: { component: 'cronjob-controller' },
  firstTimestamp: '2026-03-14T15:00:00Z',
  lastTimestamp: '2026-03-14T15:05:00Z',
  count: 3,
  type: 'Normal',
  ...more,
});

describeKubectl('kubectl and events', (suite) => {
  const told = (...args: readonly string[]) => suite.kubectl.told([...args, ...inNamespace]);
  const fed = async (input: object, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await suite.kubectl.run([...args, '-f', '-', ...inNamespace], { input: JSON.stringify(input) });
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  let uid = '';
  beforeAll(async () => {
    const path = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
    ({ uid } = (await suite.api.post(path, CRON_JOB.sample('nightly', namespace))).object().metadata);
  });

  it('creates them, one and in a List', async () => {
    expect(await fed(event('one', { name: 'nightly', uid }), 'create')).toBe('event/one created\n');
    const items = [event('two', { name: 'other' }), event('three', { name: 'other' }, { type: 'Warning', reason: 'Missed' })];
    expect(await fed({ apiVersion: 'v1', kind: 'List', items }, 'apply')).toBe('event/two created\nevent/three created\n');
  });

  describe('shows them', () => {
    it('in a table', async () => {
      const table = await told('get', 'events', '--no-headers');
      expect(table).toMatch(/Normal +SuccessfulCreate +cronjob\/nightly +Created job one/);
      expect(table.split('\n').filter(Boolean)).toHaveLength(3);
    });

    it('by what they are about, as the core version calls it', async () => {
      expect(await told('get', 'ev', '--field-selector', 'involvedObject.name=other', '-o', 'name')).toBe('event/three\nevent/two\n');
      expect(await told('get', 'events', '--field-selector', 'type=Warning', '-o', 'jsonpath={.items[*].involvedObject.name}')).toBe(
        'other',
      );
    });

    it('those of the group too, by its full name', async () => {
      expect(await told('get', 'events.v1.events.k8s.io', 'one', '-o', 'jsonpath={.note} {.regarding.name}')).toBe(
        'Created job one nightly',
      );
    });

    // Before, kubectl describes cron jobs as v1beta1.
    itSince(21)('with the object that they are about', async () => {
      const described = await told('describe', 'cronjob', 'nightly');
      expect(described).toMatch(/Events:\n/);
      expect(described).toMatch(/SuccessfulCreate +.*cronjob-controller +Created job one/);
      expect(described).not.toContain('Created job two');
    });

    itSince(24)('by a command of their own', async () => {
      expect(await told('events', '--for', 'cronjob/nightly', '--no-headers')).toMatch(
        /^\S.*x3.*Normal +SuccessfulCreate +CronJob\/nightly +Created job one\n$/,
      );
    });

    it('and explains them', async () => {
      expect(await told('explain', 'event.involvedObject')).toMatch(/involvedObject/i);
      expect(await told('explain', 'event')).toMatch(/reportingComponent/);
    });
  });

  it('counts one with a patch, and deletes it', async () => {
    expect(await told('patch', 'event', 'one', '-p', '{"count": 4}')).toBe('event/one patched\n');
    expect(await told('get', 'event', 'one', '-o', 'jsonpath={.count}')).toBe('4');
    expect(await told('delete', 'event', 'one')).toMatch(/^event "one" deleted/);
  });
});
