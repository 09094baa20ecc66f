/** The configuration that every server has: the mandatory objects and the suggested ones, those of Kubernetes 1.36. */
import type { FlowSchemaSpec, PolicyRulesWithSubjects, ResourcePolicyRule, Subject } from './flowschemas/types.gen.ts';
import type { ExemptPriorityLevelConfiguration, QueuingConfiguration } from './prioritylevelconfigurations/types.gen.ts';

/** By name. */
type Specs<Spec> = Readonly<Record<string, Spec>>;

type SchemaSpec = FlowSchemaSpec & { readonly matchingPrecedence: number };
type CompleteQueuing = Required<QueuingConfiguration>;

/** Nothing is left to defaults. */
type LevelSpec =
  | { readonly type: 'Exempt'; readonly exempt: Required<ExemptPriorityLevelConfiguration> }
  | {
      readonly type: 'Limited';
      readonly limited: {
        readonly nominalConcurrencyShares: number;
        readonly limitResponse: { readonly type: string; readonly queuing?: CompleteQueuing };
        readonly lendablePercent: number;
      };
    };

export interface FlowControlSpecs {
  readonly flowSchemas: Specs<SchemaSpec>;
  readonly priorityLevels: Specs<LevelSpec>;
}

const group = (name: string): Subject => ({ kind: 'Group', group: { name } });
const user = (name: string): Subject => ({ kind: 'User', user: { name } });
const EVERYBODY = [group('system:unauthenticated'), group('system:authenticated')];
const SYSTEM_SERVICE_ACCOUNTS: Subject = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } };
const CONTROLLER_MANAGER = user('system:kube-controller-manager');
const SCHEDULER = user('system:kube-scheduler');
const NODES = [group('system:nodes')];

const anything = (...subjects: readonly Subject[]): readonly PolicyRulesWithSubjects[] => [
  {
    subjects,
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
];

const schema = (
  level: string,
  matchingPrecedence: number,
  by: 'ByUser' | 'ByNamespace' | undefined,
  rules: readonly PolicyRulesWithSubjects[],
): SchemaSpec => ({
  priorityLevelConfiguration: { name: level },
  matchingPrecedence,
  ...(by === undefined ? {} : { distinguisherMethod: { type: by } }),
  rules,
});

const limited = (nominalConcurrencyShares: number, lendablePercent: number, queuing?: CompleteQueuing): LevelSpec => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares,
    limitResponse: queuing === undefined ? { type: 'Reject' } : { type: 'Queue', queuing },
    lendablePercent,
  },
});

const queues = (count: number, handSize: number): CompleteQueuing => ({ queues: count, handSize, queueLengthLimit: 50 });

export const MANDATORY: FlowControlSpecs = {
  flowSchemas: {
    exempt: schema('exempt', 1, undefined, anything(group('system:masters'))),
    'catch-all': schema('catch-all', 10_000, 'ByUser', anything(...EVERYBODY)),
  },
  priorityLevels: {
    exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
    'catch-all': limited(5, 0),
  },
};

export function createSuggested(groupSuffix: string): FlowControlSpecs {
  const leases = (...verbs: readonly string[]): ResourcePolicyRule => ({
    verbs,
    apiGroups: [`coordination.${groupSuffix}`],
    resources: ['leases'],
    namespaces: ['*'],
  });
  const ownNodes: ResourcePolicyRule = {
    verbs: ['*'],
    apiGroups: [''],
    resources: ['nodes', 'nodes/status'],
    clusterScope: true,
    namespaces: ['*'],
  };
  return {
    priorityLevels: {
      system: limited(30, 33, queues(64, 6)),
      'node-high': limited(40, 25, queues(64, 6)),
      'leader-election': limited(10, 0, queues(16, 4)),
      'workload-high': limited(40, 50, queues(128, 6)),
      'workload-low': limited(100, 90, queues(128, 6)),
      'global-default': limited(20, 50, queues(128, 6)),
    },
    flowSchemas: {
      'system-nodes': schema('system', 500, 'ByUser', anything(...NODES)),
      'system-node-high': schema('node-high', 400, 'ByUser', [{ subjects: NODES, resourceRules: [ownNodes, leases('*')] }]),
      probes: schema('exempt', 2, undefined, [
        { subjects: EVERYBODY, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] },
      ]),
      'system-leader-election': schema('leader-election', 100, 'ByUser', [
        { subjects: [CONTROLLER_MANAGER, SCHEDULER, SYSTEM_SERVICE_ACCOUNTS], resourceRules: [leases('get', 'create', 'update')] },
      ]),
      'kube-controller-manager': schema('workload-high', 800, 'ByNamespace', anything(CONTROLLER_MANAGER)),
      'kube-scheduler': schema('workload-high', 800, 'ByNamespace', anything(SCHEDULER)),
      'kube-system-service-accounts': schema('workload-high', 900, 'ByNamespace', anything(SYSTEM_SERVICE_ACCOUNTS)),
      'service-accounts': schema('workload-low', 9000, 'ByUser', anything(group('system:serviceaccounts'))),
      'global-default': schema('global-default', 9900, 'ByUser', anything(...EVERYBODY)),
    },
  };
}
