import { describe, expect, it } from '@jest/globals';
import { parseOpenFiles, readLimits, warnOfFewFiles } from './open-files.ts';

const limits = (openFiles: string) => `Limit                     Soft Limit           Hard Limit           Units     
Max processes             63458                63458                processes 
Max open files            ${openFiles.padEnd(20)} 1048576              files     
`;

const warnings = (text: string): unknown[] => {
  const said: unknown[] = [];
  warnOfFewFiles(text, { warn: (_, fields) => said.push(fields) });
  return said;
};

describe('The limit of open files', () => {
  it.each([
    ['1024', 1024],
    ['unlimited', undefined],
  ])('is read: %s', (text, openFiles) => {
    expect(parseOpenFiles(limits(text))).toBe(openFiles);
  });

  it('is warned of when it is low, and not when it is high, absent or unknown', () => {
    expect(warnings(limits('1024'))).toEqual([{ openFiles: 1024 }]);
    for (const text of [limits('20000'), limits('unlimited'), '']) expect(warnings(text)).toEqual([]);
  });

  it('is known of this process where the system says it', async () => {
    const text = await readLimits();
    if (process.platform === 'linux') expect(text).toMatch(/^Max open files/m);
    else expect(text).toBe('');
  });
});
