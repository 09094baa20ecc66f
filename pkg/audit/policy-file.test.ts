import { describe, expect, it } from '@jest/globals';
import { parseTypedFile } from '../config/files/typed-file.ts';
import { policyFileKind } from './policy-file.ts';

const parse = (rest: string, type = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n') =>
  parseTypedFile(type + rest, 'policy.yaml', policyFileKind('k8s.io'));

describe('A policy file', () => {
  it('is read with all its fields', () => {
    const rule = { level: 'Request', users: ['a'], resources: [{ group: '', resources: ['configmaps'] }], omitManagedFields: true };
    expect(
      parse(JSON.stringify({ rules: [rule], omitStages: ['Panic'] }).slice(1), '{"apiVersion":"audit.k8s.io/v1","kind":"Policy",').rules,
    ).toEqual([rule]);
  });

  it.each([
    ['rules: []', 'policy.yaml:3:8: rules: Required value: a policy without rules records nothing'],
    ['rules:\n- users: [a]', 'policy.yaml:4:3: rules[0].level: Required value'],
    [
      'rules:\n- level: Everything',
      'policy.yaml:4:10: rules[0].level: Unsupported value: "Everything": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      'rules:\n- level: None\n  nonResourceURLs: [metrics]',
      'policy.yaml:5:21: rules[0].nonResourceURLs[0]: Invalid value: "metrics": non-resource URL rules must begin with a \'/\' character',
    ],
    [
      'rules:\n- level: None\n  nonResourceURLs: ["/a*b"]',
      `policy.yaml:5:21: rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule`,
    ],
    [
      'rules:\n- level: None\n  nonResourceURLs: ["/a"]\n  namespaces: [a]',
      'policy.yaml:5:20: rules[0].nonResourceURLs: Invalid value: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      'rules:\n- level: None\n  resources: [{group: "", resourceNames: [a]}]',
      'policy.yaml:5:42: rules[0].resources[0].resourceNames: Invalid value: using resourceNames requires at least one resource',
    ],
    [
      'rules:\n- level: None\nomitStages: [Later]',
      'policy.yaml:5:14: omitStages[0]: Invalid value: "Later": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    ['rules:\n- level: None\n  verb: [get]', 'policy.yaml:5:3: rules[0].verb: is not a known field; did you mean verbs?'],
    ['rules:\n- level: None\n  users: jane', 'policy.yaml:5:10: rules[0].users: must be a list, not "jane"'],
    ['rules:\n- level: None\n  users: [7]', 'policy.yaml:5:11: rules[0].users[0]: must be a string, not 7'],
    ['rules:\n- level: None\n  level: Request', 'policy.yaml:5:3: rules[0].level: is set twice'],
  ])('is refused with its line: %s', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('refuses what is no name of a group', () => {
    expect(() => parse('rules:\n- level: None\n  resources: [{group: A/b}]')).toThrow(
      /^policy\.yaml:5:23: rules\[0\]\.resources\[0\]\.group: Invalid value: "A\/b"/,
    );
  });

  it.each([
    ['', 'policy.yaml:1:1: the file is empty; it must hold a Policy of audit.k8s.io/v1'],
    ['kind: Policy\nrules: []', 'policy.yaml:1:1: apiVersion: must be audit.k8s.io/v1'],
    ['apiVersion: audit.k8s.io/v1beta1\nkind: Policy', 'policy.yaml:1:13: apiVersion: must be audit.k8s.io/v1'],
    ['apiVersion: v1\nkind: ConfigMap', 'policy.yaml:2:7: kind: must be Policy'],
    ['apiVersion: audit.k8s.io/v1\nkind: Policy\n---\nkind: Policy', 'policy.yaml:4:1: the file must hold one document only'],
    ['rules: [', /^policy\.yaml:1:\d+: /],
    ['- a', 'policy.yaml:1:1: must be an object, not a list'],
  ])('of another form is refused: %s', (text, message) => {
    expect(() => parse(text, '')).toThrow(message);
  });
});
