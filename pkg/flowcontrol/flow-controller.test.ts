import { describe, expect, it } from '@jest/globals';
import { createSuggested, type FlowControlSpecs, MANDATORY } from '../apis/flowcontrol/v1/bootstrap.ts';
import { DEFAULT_GROUP_SUFFIX } from '../apis/group-suffix.ts';
import { createMetrics } from '../observability/metrics.ts';
import type { FlowConfiguration, FlowSchema, PriorityLevel } from './configuration.ts';
import { FlowController } from './flow-controller.ts';
import type { FlowRequest } from './matches.ts';
import { Ticket } from './queue-set.ts';

const toConfiguration = ({ flowSchemas, priorityLevels }: FlowControlSpecs): FlowConfiguration => ({
  flowSchemas: Object.entries(flowSchemas).map(([name, spec]) => ({ name, uid: `${name}-uid`, spec })),
  priorityLevels: Object.entries(priorityLevels).map(([name, spec]) => ({ name, uid: `${name}-uid`, spec })),
});
const DEFAULTS = toConfiguration(createSuggested(DEFAULT_GROUP_SUFFIX));
const GET: FlowRequest = { isResource: true, verb: 'get', group: 'batch', resource: 'jobs', subresource: '' };
const JANE = { name: 'jane', groups: ['system:authenticated'] };
const ADMIN = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

function openController(configuration: FlowConfiguration = DEFAULTS, serverSeats = 600) {
  let now = 0;
  const metrics = createMetrics({ version: 'v0', now: () => now, processMetrics: false });
  const controller = new FlowController({ serverSeats, mandatory: toConfiguration(MANDATORY), metrics, now: () => now });
  controller.configure(configuration);
  const seats = async (name: string) =>
    Object.fromEntries(
      (await metrics.expose()).split('\n').flatMap((line) => {
        const found = new RegExp(`^apiserver_flowcontrol_${name}_seats\\{priority_level="(.*)"\\} (.*)$`).exec(line);
        return found === null ? [] : [[found[1], Number(found[2])]];
      }),
    ) as Record<string, number>;
  return {
    controller,
    seats,
    pass: (ms: number) => (now += ms),
    start: (user = JANE, seatsOf = 1) => controller.start(controller.classify(user, GET, 'default'), user, 'default', seatsOf),
  };
}

const schemaOf = (name: string, more: Partial<FlowSchema['spec']> = {}): FlowSchema => ({
  name,
  uid: `${name}-uid`,
  spec: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 50,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'jane' } }],
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
      },
    ],
    ...more,
  },
});
const levelOf = (name: string, limited: PriorityLevel['spec']['limited']): PriorityLevel => ({
  name,
  uid: `${name}-uid`,
  spec: { type: 'Limited', ...(limited === undefined ? {} : { limited }) },
});

describe('The controller of flow control', () => {
  it('divides the seats as kube-apiserver', async () => {
    const { controller, seats, pass } = openController();
    // Of kube-apiserver 1.36.4 with its own defaults, once it was idle for ten seconds.
    expect(await seats('nominal_limit')).toEqual({
      'catch-all': 13,
      exempt: 0,
      'global-default': 49,
      'leader-election': 25,
      'node-high': 98,
      system: 74,
      'workload-high': 98,
      'workload-low': 245,
    });
    expect(await seats('lower_limit')).toMatchObject({ 'global-default': 24, 'workload-low': 24, system: 50, 'node-high': 73 });
    expect(await seats('upper_limit')).toMatchObject({ 'global-default': 649, exempt: 600 });
    pass(10_000);
    controller.adjust();
    pass(1000);
    expect(await seats('current_limit')).toEqual({
      'catch-all': 30,
      exempt: 0,
      'global-default': 56,
      'leader-election': 58,
      'node-high': 170,
      system: 117,
      'workload-high': 114,
      'workload-low': 56,
    });
  });

  it.each([
    ['an administrator', ADMIN, 'exempt'],
    ['a user', JANE, 'global-default'],
    ['a user in no group', { name: 'nobody', groups: [] }, 'catch-all'],
    [
      'a service account',
      { name: 'system:serviceaccount:a:b', groups: ['system:serviceaccounts', 'system:authenticated'] },
      'service-accounts',
    ],
  ])('takes %s for its own flow schema', (_, user, expected) => {
    expect(openController().controller.classify(user, GET, 'default').schema.name).toBe(expected);
  });

  it('prefers the lower precedence, then the first name, and ignores who names no level', () => {
    const { controller } = openController();
    const classified = (...more: readonly FlowSchema[]) => {
      controller.configure({ ...DEFAULTS, flowSchemas: [...DEFAULTS.flowSchemas, ...more] });
      return controller.classify(JANE, GET, 'default').schema.name;
    };
    expect(classified(schemaOf('b'), schemaOf('a'), schemaOf('c', { matchingPrecedence: 40 }))).toBe('c');
    expect(classified(schemaOf('b'), schemaOf('a'))).toBe('a');
    expect(classified(schemaOf('lost', { priorityLevelConfiguration: { name: 'none' } }))).toBe('global-default');
  });

  it('has the mandatory objects when nothing is stored', () => {
    const { controller } = openController({ flowSchemas: [], priorityLevels: [] });
    expect(controller.classify(ADMIN, GET, '').schema.name).toBe('exempt');
    expect(controller.classify(JANE, GET, '').schema.name).toBe('catch-all');
  });

  it('refuses what finds no seat where nothing waits', () => {
    const { start } = openController({ flowSchemas: [], priorityLevels: [] }, 2);
    const first = start();
    expect(first).toBeInstanceOf(Ticket);
    expect(start()).toBeInstanceOf(Ticket);
    expect(start()).toBe('concurrency-limit');
    expect(start(ADMIN)).toBeInstanceOf(Ticket);
    if (first instanceof Ticket) first.finish();
    expect(start()).toBeInstanceOf(Ticket);
  });

  it('lends seats to a level that needs them, within ten seconds', async () => {
    const { controller, seats, start, pass } = openController();
    const tickets = Array.from({ length: 300 }, () => start());
    const waiting = () => tickets.filter((ticket) => ticket instanceof Ticket && ticket.isWaiting).length;
    const before = waiting();
    expect(before).toBeGreaterThan(200);
    pass(10_000);
    controller.adjust();
    expect(waiting()).toBeLessThan(before);
    const current = await seats('current_limit');
    expect(current['global-default']).toBeGreaterThan(49);
    const lower = await seats('lower_limit');
    for (const [name, value] of Object.entries(current)) expect(value).toBeGreaterThanOrEqual(lower[name] ?? 0);
  });

  it('keeps a level that has gone until its requests are done', () => {
    const own = { nominalConcurrencyShares: 10, limitResponse: { type: 'Reject' } };
    const { controller, start } = openController();
    const withLevel = {
      flowSchemas: [...DEFAULTS.flowSchemas, schemaOf('own', { priorityLevelConfiguration: { name: 'own' } })],
      priorityLevels: [...DEFAULTS.priorityLevels, levelOf('own', own)],
    };
    controller.configure(withLevel);
    const ticket = start();
    controller.configure(DEFAULTS);
    expect(controller.classify(JANE, GET, 'default').schema.name).toBe('global-default');
    controller.adjust();
    controller.configure(withLevel);
    expect(start()).toBeInstanceOf(Ticket);
    if (ticket instanceof Ticket) ticket.finish();
  });

  it.each<[string, PriorityLevel]>([
    ['without limits', levelOf('own', undefined)],
    ['without queues', levelOf('own', { limitResponse: { type: 'Queue' } })],
    ['that is exempt under another name', { name: 'own', uid: '', spec: { type: 'Exempt', exempt: {} } }],
  ])('ignores a level %s', (_, level) => {
    const { controller } = openController();
    const own = schemaOf('own', { priorityLevelConfiguration: { name: 'own' } });
    controller.configure({ flowSchemas: [...DEFAULTS.flowSchemas, own], priorityLevels: [...DEFAULTS.priorityLevels, level] });
    expect(controller.classify(JANE, GET, 'default').schema.name).toBe('global-default');
  });
});
