/** What a test compares with is a file beside it, which the test itself writes anew when `UPDATE_GOLDEN` is set. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from '@jest/globals';

/** Escape sequences are written so that they can be read: `\e[31m`. */
export async function expectGolden(path: string, text: string): Promise<void> {
  const readable = text.replaceAll('\u001b', '\\e');
  if ((process.env['UPDATE_GOLDEN'] ?? '') !== '') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, readable);
  }
  expect(readable).toBe(await readFile(path, 'utf8'));
}
