import { describe, expect, it } from '@jest/globals';
import { namesTag } from './entity-tag.ts';

describe('If-None-Match', () => {
  it.each(['"a"', 'W/"a"', '"b", W/"a" ,"c"', '*', ' * '])('%s names "a"', (header) => {
    expect(namesTag(header, '"a"')).toBe(true);
  });

  it.each([undefined, '', '"b"', 'a', '"A"', 'W/"a', '"a" "b"'])('%s does not', (header) => {
    expect(namesTag(header, '"a"')).toBe(false);
  });
});
