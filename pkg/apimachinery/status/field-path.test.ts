import { describe, expect, it } from '@jest/globals';
import { FieldPath } from './field-path.ts';

describe('A field path', () => {
  it('separates names by dots and puts indexes and keys in brackets', () => {
    const containers = FieldPath.of('spec', 'template').child('spec', 'containers');
    expect(String(containers.index(0).child('image'))).toBe('spec.template.spec.containers[0].image');
    expect(String(FieldPath.of('metadata', 'annotations').key('example.com/a'))).toBe('metadata.annotations[example.com/a]');
  });

  it('is not changed by extending it', () => {
    const spec = FieldPath.of('spec');
    spec.child('schedule');
    expect(String(spec)).toBe('spec');
  });
});
