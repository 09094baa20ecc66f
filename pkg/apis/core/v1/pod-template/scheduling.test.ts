import { describe, expect, it } from '@jest/globals';
import { causesOfPod } from '../../../../../test/support/pod-template.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSpec,
  Toleration,
  TopologySpreadConstraint,
} from '../types.gen.ts';

const DEMANDED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const table = (rows: readonly (readonly [string, Unchecked<PodSpec>, readonly string[]])[]) =>
  it.each(rows.map((row) => [...row] as [string, Unchecked<PodSpec>, readonly string[]]))('%s', (_, fields, causes) => {
    expect(causesOfPod(fields)).toEqual(causes);
  });

describe('A toleration', () => {
  const toleration = (fields: Unchecked<Toleration>) => ({ tolerations: [fields] });
  const at = (field: string) => `s.tolerations[0].${field}`;
  table([
    ['of everything is right', toleration({ operator: 'Exists' }), []],
    ['of a value is right', toleration({ key: 'example.com/a', value: 'b', effect: 'NoSchedule' }), []],
    ['for some time is right', toleration({ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }), []],
    ['has a key of label syntax', toleration({ key: 'a b', operator: 'Exists' }), [`Invalid ${at('key')}`]],
    ['without a key needs Exists', toleration({ operator: 'Equal' }), [`Invalid ${at('operator')}`]],
    ['without anything needs Exists', toleration({}), [`Invalid ${at('operator')}`]],
    ['with Exists has no value', toleration({ operator: 'Exists', value: 'x' }), [`Invalid ${at('operator')}`]],
    ['has a value of label syntax', toleration({ key: 'a', value: 'b c' }), [`Invalid ${at('operator')}`]],
    ['has a known operator', toleration({ key: 'a', operator: 'In' }), [`NotSupported ${at('operator')}`]],
    ['does not compare numbers', toleration({ key: 'a', operator: 'Gt', value: '1' }), [`NotSupported ${at('operator')}`]],
    ['has a known effect', toleration({ key: 'a', effect: 'Never' }), [`NotSupported ${at('effect')}`]],
    ['ends only where pods are evicted', toleration({ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }), [`Invalid ${at('effect')}`]],
  ]);
});

describe('Node affinity', () => {
  const demanded = (...nodeSelectorTerms: readonly Unchecked<NodeSelectorTerm>[]) => ({
    affinity: { nodeAffinity: { [DEMANDED]: { nodeSelectorTerms } } },
  });
  const expression = (key: string, operator: string, ...values: readonly string[]): Unchecked<NodeSelectorRequirement> => ({
    key,
    operator,
    values,
  });
  const matching = (requirement: Unchecked<NodeSelectorRequirement>) => demanded({ matchExpressions: [requirement] });
  const naming = (requirement: Unchecked<NodeSelectorRequirement>) => demanded({ matchFields: [requirement] });
  const preferred = (weight: number, requirement: Unchecked<NodeSelectorRequirement> = expression('a', 'Exists')) => ({
    affinity: { nodeAffinity: { [PREFERRED]: [{ weight, preference: { matchExpressions: [requirement] } }] } },
  });
  const terms = `s.affinity.nodeAffinity.${DEMANDED}.nodeSelectorTerms`;
  const at = (field: string) => `${terms}[0].matchExpressions[0].${field}`;
  const atField = (field: string) => `${terms}[0].matchFields[0].${field}`;
  const atPreferred = (field: string) => `s.affinity.nodeAffinity.${PREFERRED}[0].${field}`;
  table([
    ['of nothing is right', { affinity: { nodeAffinity: {} } }, []],
    ['of an empty term is right', demanded({}), []],
    ['of a zone is right', matching(expression('topology.kubernetes.io/zone', 'In', 'a', 'b')), []],
    ['of a number is right', matching(expression('a', 'Gt', '3')), []],
    ['of a node is right', naming(expression('metadata.name', 'NotIn', 'node-1')), []],
    ['needs a term', demanded(), [`Required ${terms}`]],
    ['needs values for In', matching(expression('a', 'In')), [`Required ${at('values')}`]],
    ['needs values for NotIn', matching(expression('a', 'NotIn')), [`Required ${at('values')}`]],
    ['has no values for Exists', matching(expression('a', 'Exists', 'b')), [`Forbidden ${at('values')}`]],
    ['has no values for DoesNotExist', matching(expression('a', 'DoesNotExist', 'b')), [`Forbidden ${at('values')}`]],
    ['has one value for Gt', matching(expression('a', 'Gt', '1', '2')), [`Required ${at('values')}`]],
    ['has one value for Lt', matching(expression('a', 'Lt')), [`Required ${at('values')}`]],
    ['has a known operator', matching(expression('a', 'Is', 'b')), [`Invalid ${at('operator')}`]],
    ['has keys of label syntax', matching(expression('a b', 'Exists')), [`Invalid ${at('key')}`]],
    ['has values of label syntax', matching(expression('a', 'In', 'b', 'c d')), [`Invalid ${at('values[1]')}`]],
    ['knows one field', naming(expression('spec.nodeName', 'In', 'a')), [`Invalid ${atField('key')}`]],
    ['compares a field with In or NotIn', naming(expression('metadata.name', 'Exists')), [`Invalid ${atField('operator')}`]],
    ['compares a field with one value', naming(expression('metadata.name', 'In', 'a', 'b')), [`Required ${atField('values')}`]],
    ['compares a field with a name', naming(expression('metadata.name', 'In', 'a_b')), [`Invalid ${atField('values[0]')}`]],
    ['has a weight of 1 or more', preferred(0), [`Invalid ${atPreferred('weight')}`]],
    ['has a weight of 100 or less', preferred(101), [`Invalid ${atPreferred('weight')}`]],
    ['may prefer any value', preferred(100, expression('a', 'In', 'c d')), []],
    [
      'prefers by known operators',
      preferred(1, expression('a', 'Is')),
      [`Invalid ${atPreferred('preference.matchExpressions[0].operator')}`],
    ],
  ]);
});

describe.each(['podAffinity', 'podAntiAffinity'] as const)('%s', (kind) => {
  const demanded = (term: Unchecked<PodAffinityTerm>) => ({ affinity: { [kind]: { [DEMANDED]: [{ topologyKey: 'zone', ...term }] } } });
  const preferred = (weight: number, topologyKey: string) => ({
    affinity: { [kind]: { [PREFERRED]: [{ weight, podAffinityTerm: { topologyKey } }] } },
  });
  const at = (field: string) => `s.affinity.${kind}.${DEMANDED}[0]${field}`;
  const atPreferred = (field: string) => `s.affinity.${kind}.${PREFERRED}[0].${field}`;
  const labelSelector = { matchLabels: { app: 'web' } };
  table([
    [
      'in a zone is right',
      demanded({ labelSelector, namespaceSelector: {}, namespaces: ['a'], matchLabelKeys: ['x'], mismatchLabelKeys: ['y'] }),
      [],
    ],
    [
      'needs a topology',
      demanded({ topologyKey: '' }),
      ['Required', 'Invalid', 'Invalid'].map((reason) => `${reason} ${at('.topologyKey')}`),
    ],
    ['has a topology of label syntax', demanded({ topologyKey: 'a b' }), [`Invalid ${at('.topologyKey')}`]],
    ['has a valid selector', demanded({ labelSelector: { matchLabels: { a: 'b c' } } }), [`Invalid ${at('.labelSelector.matchLabels')}`]],
    [
      'has a valid selector of namespaces',
      demanded({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
      [`Required ${at('.namespaceSelector.matchExpressions[0].values')}`],
    ],
    ['names namespaces', demanded({ namespaces: ['a', 'a.b'] }), [`Invalid ${at('.namespace')}`]],
    ['has keys only for a selector', demanded({ matchLabelKeys: ['x'] }), [`Forbidden ${at('.matchLabelKeys')}`]],
    ['has keys against only for a selector', demanded({ mismatchLabelKeys: ['x'] }), [`Forbidden ${at('.mismatchLabelKeys')}`]],
    ['has keys of label syntax', demanded({ labelSelector, mismatchLabelKeys: ['x', 'y z'] }), [`Invalid ${at('.mismatchLabelKeys[1]')}`]],
    [
      'has a key once',
      demanded({ labelSelector, matchLabelKeys: ['x'], mismatchLabelKeys: ['x'] }),
      [`Invalid ${at('.matchLabelKeys[0]')}`],
    ],
    [
      'does not select by a key twice',
      demanded({ labelSelector: { ...labelSelector, matchExpressions: [{ key: 'app', operator: 'Exists' }] }, matchLabelKeys: ['app'] }),
      [`Invalid ${at('[0]')}`],
    ],
    ['has a weight of 1 or more', preferred(0, 'zone'), [`Invalid ${atPreferred('weight')}`]],
    [
      'has a weight of 100 or less',
      preferred(101, 'a b'),
      [`Invalid ${atPreferred('weight')}`, `Invalid ${atPreferred('podAffinityTerm.topologyKey')}`],
    ],
    [
      'without a term lacks its topology',
      { affinity: { [kind]: { [PREFERRED]: [{ weight: 1 }] } } },
      ['Required', 'Invalid', 'Invalid'].map((reason) => `${reason} ${atPreferred('podAffinityTerm.topologyKey')}`),
    ],
  ]);
});

describe('A topology spread constraint', () => {
  const complete = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
  const constraint = (fields: Unchecked<TopologySpreadConstraint>) => ({ topologySpreadConstraints: [{ ...complete, ...fields }] });
  const at = (field: string) => `s.topologySpreadConstraints[0].${field}`;
  table([
    [
      'of a zone is right',
      constraint({ minDomains: 2, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore', labelSelector: {}, matchLabelKeys: ['x'] }),
      [],
    ],
    ['has a skew', constraint({ maxSkew: 0 }), [`Invalid ${at('maxSkew')}`]],
    ['has a topology', constraint({ topologyKey: '' }), [`Required ${at('topologyKey')}`]],
    ['says what to do', constraint({ whenUnsatisfiable: '' }), [`NotSupported ${at('whenUnsatisfiable')}`]],
    ['says what it may', constraint({ whenUnsatisfiable: 'Wait' }), [`NotSupported ${at('whenUnsatisfiable')}`]],
    ['has a domain or more', constraint({ minDomains: 0 }), [`Invalid ${at('minDomains')}`]],
    [
      'has domains only where it is strict',
      constraint({ whenUnsatisfiable: 'ScheduleAnyway', minDomains: 1 }),
      [`Invalid ${at('minDomains')}`],
    ],
    ['has a known policy of affinity', constraint({ nodeAffinityPolicy: 'x' }), [`NotSupported ${at('nodeAffinityPolicy')}`]],
    ['has a known policy of taints', constraint({ nodeTaintsPolicy: '' }), [`NotSupported ${at('nodeTaintsPolicy')}`]],
    ['has keys only for a selector', constraint({ matchLabelKeys: ['x'] }), [`Forbidden ${at('matchLabelKeys')}`]],
    ['has a valid selector', constraint({ labelSelector: { matchLabels: { a: 'b c' } } }), [`Invalid ${at('labelSelector.matchLabels')}`]],
    [
      'has a pair of its own',
      {
        topologySpreadConstraints: [
          complete,
          { ...complete, whenUnsatisfiable: 'ScheduleAnyway' },
          complete,
          { ...complete, topologyKey: 'node' },
        ],
      },
      [`Duplicate ${at('{topologyKey, whenUnsatisfiable}')}`],
    ],
  ]);
});
