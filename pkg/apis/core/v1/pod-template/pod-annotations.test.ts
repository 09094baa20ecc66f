import { describe, expect, it } from '@jest/globals';
import { causesOfTemplate, container, podSpec } from '../../../../../test/support/pod-template.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodSpec } from '../types.gen.ts';

const causesOf = (annotations: Readonly<Record<string, string>>, fields: Unchecked<PodSpec> = {}) =>
  causesOfTemplate({ metadata: { annotations }, spec: podSpec(fields) });

const MIRROR = 'kubernetes.io/config.mirror';
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const COST = 'controller.kubernetes.io/pod-deletion-cost';
const POD = 'seccomp.security.alpha.kubernetes.io/pod';
const MAIN = 'container.seccomp.security.alpha.kubernetes.io/main';
const ARMOR = 'container.apparmor.security.beta.kubernetes.io/main';

describe('Labels of a pod template', () => {
  it('have the syntax of labels; the path has no metadata and no key', () => {
    expect(causesOfTemplate({ metadata: { labels: { 'a b': 'c', d: 'e f' } }, spec: podSpec() })).toEqual([
      'Invalid t.labels',
      'Invalid t.labels',
    ]);
    expect(causesOfTemplate({ metadata: { labels: { 'example.com/a': 'b' } }, spec: podSpec() })).toEqual([]);
  });

  it('are the only thing of its metadata that is looked at, beside annotations', () => {
    expect(causesOfTemplate({ metadata: { name: 'A B', namespace: 'A B', finalizers: ['a b'] }, spec: podSpec() })).toEqual([]);
  });
});

describe('Annotations of a pod template', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['a key of wrong syntax', { 'a b': '' }, ['Invalid t.annotations']],
    ['more than 256 KiB', { a: 'x'.repeat(262144) }, ['TooLong t.annotations']],
    ['a mirror without a node', { [MIRROR]: '' }, [`Invalid t.annotations[${MIRROR}]`]],
    ['tolerations that are no JSON', { [TOLERATIONS]: '[' }, ['Invalid t.annotations']],
    ['tolerations that are no list', { [TOLERATIONS]: '{}' }, ['Invalid t.annotations']],
    ['tolerations of another type', { [TOLERATIONS]: '[{"key":1}]' }, ['Invalid t.annotations']],
    ['a wrong toleration', { [TOLERATIONS]: '[{"key":"a b","operator":"Exists"}]' }, [`Invalid t.annotations.${TOLERATIONS}[0].key`]],
    ['a cost that is no number', { [COST]: 'much' }, [`Invalid t.annotations[${COST}]`]],
    ['a cost with a plus', { [COST]: '+1' }, [`Invalid t.annotations[${COST}]`]],
    ['a cost with a zero before it', { [COST]: '01' }, [`Invalid t.annotations[${COST}]`]],
    ['a cost beyond int32', { [COST]: '2147483648' }, [`Invalid t.annotations[${COST}]`]],
    ['an unknown seccomp profile', { [POD]: 'none' }, [`Invalid t.annotations.${POD}`]],
    ['a seccomp profile outside its folder', { [MAIN]: 'localhost/../a' }, [`Invalid t.annotations.${MAIN}`]],
    ['an unknown AppArmor profile', { [ARMOR]: 'none' }, [`Invalid t.annotations[${ARMOR}]`]],
    ['an AppArmor profile of no container', { [`${ARMOR}2`]: 'unconfined' }, [`Invalid t.annotations[${ARMOR}2]`]],
  ])('are refused for %s', (_, annotations, causes) => {
    expect(causesOf(annotations)).toEqual(causes);
  });

  it('may say all that is known, and anything that is not', () => {
    const known = {
      [MIRROR]: 'x',
      [TOLERATIONS]: '[{"operator":"Exists"}]',
      [COST]: '-10',
      [POD]: 'docker/default',
      [MAIN]: 'localhost/a',
      [ARMOR]: '',
    };
    expect(causesOf({ ...known, 'EXAMPLE.com/Note': 'any text', 'other.kubernetes.io/x': '?' }, { nodeName: 'a' })).toEqual([]);
    expect(causesOf({ [COST]: '0', [TOLERATIONS]: '' })).toEqual([]);
  });
});

describe('Annotations beside fields', () => {
  const seccompOfPod = (type: string, localhostProfile?: string) => ({
    securityContext: { seccompProfile: { type, ...(localhostProfile === undefined ? {} : { localhostProfile }) } },
  });
  const atPod = 't.spec.securityContext.seccompProfile';
  const atMain = 't.spec.containers[0].securityContext';

  it.each<[string, string, Unchecked<PodSpec>, readonly string[]]>([
    [POD, 'runtime/default', seccompOfPod('Unconfined'), [`Forbidden ${atPod}.type`]],
    [POD, 'unconfined', seccompOfPod('RuntimeDefault'), [`Forbidden ${atPod}.type`]],
    [POD, 'unconfined', seccompOfPod('Localhost', 'a'), [`Forbidden ${atPod}.type`]],
    [POD, 'localhost/b', seccompOfPod('Localhost', 'a'), [`Forbidden ${atPod}.localhostProfile`]],
    [POD, 'localhost/a', seccompOfPod('Localhost', 'a'), []],
    [POD, 'docker/default', seccompOfPod('RuntimeDefault'), []],
    [POD, 'localhost/a', seccompOfPod('Unconfined'), [`Forbidden ${atPod}.type`]],
    [
      ARMOR,
      'docker/default',
      { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
      [`Invalid t.annotations[${ARMOR}]`, `Forbidden ${atMain}.appArmorProfile.type`],
    ],
    [ARMOR, '', { securityContext: { appArmorProfile: { type: 'Unconfined' } } }, [`Forbidden ${atMain}.appArmorProfile.type`]],
    [MAIN, 'unconfined', seccompOfPod('RuntimeDefault'), []],
    [
      MAIN,
      'unconfined',
      { containers: [container({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } })] },
      [`Forbidden ${atMain}.seccompProfile.type`],
    ],
    [
      ARMOR,
      'unconfined',
      { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
      [`Forbidden ${atMain}.appArmorProfile.type`],
    ],
    [
      ARMOR,
      'localhost/b',
      { securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'a' } } },
      [`Forbidden ${atMain}.appArmorProfile.localhostProfile`],
    ],
    [
      ARMOR,
      'unconfined',
      {
        securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
        containers: [container({ securityContext: { appArmorProfile: { type: 'Unconfined' } } })],
      },
      [],
    ],
  ])('%s: %s agrees with the field or is refused', (annotation, value, fields, causes) => {
    expect(causesOf({ [annotation]: value }, fields)).toEqual(causes);
  });
});
