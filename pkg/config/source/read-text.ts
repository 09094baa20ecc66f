/** Bytes of a file or of standard input into text, as much as is read at all. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { MAX_SOURCE_BYTES } from './read-source.ts';

/** Either the text, or half a sentence on why there is none. */
export type ReadText = { readonly text: string } | { readonly refusal: string };

export const TOO_LARGE = `the file is larger than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB`;

/** Stops at the first byte too many, however much would follow. */
export async function readText(bytes: AsyncIterable<Uint8Array | string>): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    const read = Buffer.from(chunk);
    size += read.length;
    if (size > MAX_SOURCE_BYTES) return { refusal: TOO_LARGE };
    chunks.push(read);
  }
  const whole = Buffer.concat(chunks);
  return isUtf8(whole) ? { text: whole.toString('utf8') } : { refusal: 'the file is not UTF-8' };
}

export async function readFileText(path: string): Promise<ReadText> {
  try {
    return await readText(createReadStream(path));
  } catch (error) {
    return { refusal: `the file cannot be read: ${reasonOf(error)}` };
  }
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
]);

function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return REASONS.get(code) ?? (error instanceof Error ? error.message : String(error));
}
