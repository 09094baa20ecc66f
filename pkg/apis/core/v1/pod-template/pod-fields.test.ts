import { describe, expect, it } from '@jest/globals';
import { causesOfPod, causesOfTemplate } from '../../../../../test/support/pod-template.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodSpec } from '../types.gen.ts';

describe('A pod', () => {
  it.each<[string, Unchecked<PodSpec>, readonly string[]]>([
    ['no restart policy', { restartPolicy: '' }, ['Required s.restartPolicy']],
    ['an unknown restart policy', { restartPolicy: 'Sometimes' }, ['NotSupported s.restartPolicy']],
    ['an empty preemption policy', { preemptionPolicy: '' }, ['Required s.preemptionPolicy']],
    ['an unknown preemption policy', { preemptionPolicy: 'Always' }, ['NotSupported s.preemptionPolicy']],
    ['a deadline of nothing', { activeDeadlineSeconds: 0 }, ['Invalid s.activeDeadlineSeconds']],
    ['a deadline beyond int32', { activeDeadlineSeconds: 2 ** 31 }, ['Invalid s.activeDeadlineSeconds']],
    ['a deadline beyond doubles', { activeDeadlineSeconds: 2n ** 63n - 1n }, ['Invalid s.activeDeadlineSeconds']],
    ['a wrong service account', { serviceAccountName: 'a_b' }, ['Invalid s.serviceAccountName']],
    ['a wrong node', { nodeName: 'a_b' }, ['Invalid s.nodeName']],
    ['a wrong priority class', { priorityClassName: 'a_b' }, ['Invalid s.priorityClassName']],
    ['a wrong runtime class', { runtimeClassName: 'a_b' }, ['Invalid s.runtimeClassName']],
    ['an empty runtime class', { runtimeClassName: '' }, ['Invalid s.runtimeClassName']],
    ['a host name with dots', { hostname: 'a.b' }, ['Invalid s.hostname']],
    ['a subdomain with dots', { subdomain: 'a.b' }, ['Invalid s.subdomain']],
    ['a whole host name that is none', { hostnameOverride: 'a_b' }, ['Invalid s.hostnameOverride']],
    ['an empty whole host name', { hostnameOverride: '' }, ['Invalid s.hostnameOverride']],
    ['a whole host name of 65 bytes', { hostnameOverride: 'a'.repeat(65) }, ['TooLong s.hostnameOverride']],
    ['two whole host names', { hostnameOverride: 'a.b', setHostnameAsFQDN: true }, ['Forbidden s.hostnameOverride']],
    ['a whole host name beside that of the node', { hostnameOverride: 'a.b', hostNetwork: true }, ['Forbidden s.hostnameOverride']],
    ['a node selector of wrong syntax', { nodeSelector: { 'a b': 'c', d: 'e f' } }, ['Invalid s.nodeSelector', 'Invalid s.nodeSelector']],
    ['a readiness gate of wrong syntax', { readinessGates: [{ conditionType: 'a b' }] }, ['Invalid s.readinessGates[0].conditionType']],
    ['a scheduling gate of wrong syntax', { schedulingGates: [{ name: 'a b' }] }, ['Invalid s.schedulingGates[0]']],
    ['a scheduling gate twice', { schedulingGates: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }, ['Duplicate s.schedulingGates[2]']],
    ['a scheduling group of nothing', { schedulingGroup: {} }, ['Invalid s.schedulingGroup.podGroupName']],
    ['a scheduling group of wrong syntax', { schedulingGroup: { podGroupName: 'a_b' } }, ['Invalid s.schedulingGroup.podGroupName']],
  ])('is refused for %s', (_, fields, causes) => {
    expect(causesOfPod(fields)).toEqual(causes);
  });

  it.each<[string, Unchecked<PodSpec>]>([
    ['any restart policy', { restartPolicy: 'Always' }],
    ['the shortest deadline', { activeDeadlineSeconds: 1 }],
    ['the longest deadline', { activeDeadlineSeconds: 2 ** 31 - 1 }],
    ['a negative grace period', { terminationGracePeriodSeconds: -1 }],
    ['empty names', { serviceAccountName: '', nodeName: '', priorityClassName: '', hostname: '', subdomain: '' }],
    ['a pull secret without name', { imagePullSecrets: [{ name: '' }] }],
    ['a whole host name', { hostnameOverride: `${'a'.repeat(62)}.b`, setHostnameAsFQDN: false }],
  ])('may have %s', (_, fields) => {
    expect(causesOfPod(fields)).toEqual([]);
  });

  it('lacks everything when there is no template', () => {
    const causes = ['containers', 'dnsPolicy', 'restartPolicy', 'terminationGracePeriodSeconds'].map((field) => `Required t.spec.${field}`);
    expect([...causesOfTemplate(undefined)].sort()).toEqual(causes);
    expect([...causesOfTemplate({})].sort()).toEqual(causes);
  });
});
