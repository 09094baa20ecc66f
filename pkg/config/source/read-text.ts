/** Reads a file or standard input as text, up to the size limit. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { MAX_SOURCE_BYTES } from './read-source.ts';

/** The text, or the reason of a failure as a clause. */
export type ReadText = { readonly text: string } | { readonly failure: string };

export const TOO_LARGE = `the file is larger than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB`;

const LF = 0x0a;
const NAMED_PIPE = 'the file cannot be read: it is a named pipe; - is standard input';
/** Pipes opened by a shell: `<(command)`. */
const SHELL_PIPE = /^\/(?:dev|proc)\//;

/** Stops at the first byte beyond the limit. */
export async function readText(bytes: AsyncIterable<Uint8Array | string>): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    const read = Buffer.from(chunk);
    size += read.length;
    if (size > MAX_SOURCE_BYTES) return { failure: TOO_LARGE };
    chunks.push(read);
  }
  const whole = Buffer.concat(chunks);
  return isUtf8(whole) ? { text: whole.toString('utf8') } : { failure: notUtf8(whole) };
}

function notUtf8(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'the file is UTF-16, not UTF-8';
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = (bytes.indexOf(LF, start) + 1 || bytes.length + 1) - 1;
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return `the file is not UTF-8: see line ${line}`;
}

/** Reads a file or `/dev/stdin`. Rejects named pipes, since reading one without a writer would block forever. */
export async function readFileText(path: string): Promise<ReadText> {
  try {
    if (!SHELL_PIPE.test(path) && (await stat(path)).isFIFO()) return { failure: NAMED_PIPE };
    return await readText(createReadStream(path));
  } catch (error) {
    return { failure: `the file cannot be read: ${reasonOf(error)}` };
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
  return REASONS.get(code) ?? errorMessage(error);
}
