import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { generateName } from './generated-name.ts';

describe('generateName', () => {
  it('adds five letters that spell no word', () => {
    expect(generateName('nightly-', randomBytes)).toMatch(/^nightly-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('cuts a long base so that the name is a label', () => {
    expect(generateName('x'.repeat(100), randomBytes)).toMatch(/^x{58}[a-z0-9]{5}$/);
  });

  it('draws again what would make some letters likelier than others', () => {
    const draws = [Buffer.from([255, 254, 253, 252, 243]), Buffer.from([0, 1, 2, 3, 242])];
    expect(generateName('a', () => draws.shift() ?? Buffer.alloc(0))).toBe('abcdf9');
  });
});
