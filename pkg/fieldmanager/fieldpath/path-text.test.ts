import { describe, expect, it } from '@jest/globals';
import { fieldElement, indexElement, keyElement, valueElement } from './path-element.ts';
import { pathText } from './path-text.ts';

describe('a path in an error message', () => {
  it.each([
    ['.spec.jobTemplate', [fieldElement('spec'), fieldElement('jobTemplate')]],
    ['.metadata.labels.app.kubernetes.io/name', [fieldElement('metadata'), fieldElement('labels'), fieldElement('app.kubernetes.io/name')]],
    ['.containers[name="a"].image', [fieldElement('containers'), keyElement([{ name: 'name', value: 'a' }]), fieldElement('image')]],
    [
      '[containerPort=80,protocol="TCP"]',
      [
        keyElement([
          { name: 'protocol', value: 'TCP' },
          { name: 'containerPort', value: 80 },
        ]),
      ],
    ],
    ['[="a\\"b\\n"]', [valueElement('a"b\n')]],
    ['[=true]', [valueElement(true)]],
    ['[=null]', [valueElement(null)]],
    ['[=[1,"a"]]', [valueElement([1, 'a'])]],
    ['[=a=1b=2]', [valueElement({ b: 2, a: 1 })]],
    ['[=999999]', [valueElement(999999)]],
    ['[=1e+06]', [valueElement(1000000)]],
    ['[=9.007199254740992e+15]', [valueElement(9007199254740993n)]],
    ['[=0.0001]', [valueElement(0.0001)]],
    ['[=1e-05]', [valueElement(0.00001)]],
    ['[3]', [indexElement(3)]],
    ['', []],
  ])('is %s', (text, path) => {
    expect(pathText(path)).toBe(text);
  });
});
