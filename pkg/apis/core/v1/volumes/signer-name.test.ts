import { describe, expect, it } from '@jest/globals';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import { isKubernetesSigner, validateSignerName } from './signer-name.ts';

const causesOf = (name: string) => validateSignerName(name, FieldPath.of('s')).map(({ reason }) => reason.replace('FieldValue', ''));
const longDomain = `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(61);

describe('The name of a signer', () => {
  it.each(['example.com/signer', 'a.b/namespace.name', `${longDomain}/${'b'.repeat(63)}.${'c'.repeat(253)}`])('is right: %s', (name) => {
    expect(causesOf(name)).toEqual([]);
  });

  it.each([
    ['', ['Required']],
    ['example.com', ['Invalid']],
    ['example.com/a/b', ['Invalid']],
    ['example/signer', ['Invalid']],
    ['/signer', ['Invalid', 'Invalid']],
    ['Example.com/signer', ['Invalid']],
    ['example.com/', ['Invalid']],
    ['example.com/Signer', ['Invalid']],
    [`${longDomain}a/s`, ['TooLong']],
    [`example.com/${'a.'.repeat(300)}b`, ['TooLong']],
    ['A.B/C', ['Invalid', 'Invalid']],
  ])('is refused: %s', (name, reasons) => {
    expect(causesOf(name)).toEqual(reasons);
  });

  it.each([
    ['kubernetes.io/a', true],
    ['a.kubernetes.io/b', true],
    ['notkubernetes.io/a', false],
    ['example.com/kubernetes.io', false],
  ])('tells whose it is: %s', (name, own) => {
    expect(isKubernetesSigner(name)).toBe(own);
  });
});
