/**
 * A file that is renamed when it would become too large, as `--audit-log-maxsize` and its siblings say. Names and rules
 * are those of kube-apiserver: `audit-2006-01-02T15-04-05.000.log` is what `audit.log` was until then.
 */
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { LineWriter } from './log-backend.ts';

export interface RotatedFileOptions {
  readonly path: string;
  /** 0: never renamed. */
  readonly maxBytes: number;
  /** How many renamed files are kept. 0: all. */
  readonly maxBackups: number;
  /** How long renamed files are kept. 0: for ever. */
  readonly maxAgeMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Rejects if the file cannot be written. */
export async function openRotatedFile(options: RotatedFileOptions): Promise<LineWriter> {
  await mkdir(path.dirname(options.path), { recursive: true, mode: PRIVATE_FOLDER });
  const file = new RotatedFile(options);
  await file.open();
  return file;
}

class RotatedFile implements LineWriter {
  readonly #options: RotatedFileOptions;
  #file: FileHandle | undefined;
  #bytes = 0;

  constructor(options: RotatedFileOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    this.#file = await open(this.#options.path, 'a', PRIVATE_FILE);
    this.#bytes = (await this.#file.stat()).size;
  }

  async write(lines: readonly string[]): Promise<void> {
    let from = 0;
    while (from < lines.length) {
      const to = this.#fitting(lines, from);
      if (to === from) {
        await this.#rotate();
        continue;
      }
      await this.#append(Buffer.from(lines.slice(from, to).join('')));
      from = to;
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  /** The end of the lines that still fit. An empty file takes at least one. */
  #fitting(lines: readonly string[], from: number): number {
    const { maxBytes } = this.#options;
    if (maxBytes === 0) return lines.length;
    let bytes = this.#bytes;
    let to = from;
    while (to < lines.length) {
      const lineBytes = Buffer.byteLength(lines[to] ?? '');
      if (bytes > 0 && bytes + lineBytes > maxBytes) break;
      bytes += lineBytes;
      to++;
    }
    return to;
  }

  async #append(bytes: Buffer): Promise<void> {
    // After a failed rotation the file may not be open.
    if (this.#file === undefined) await this.open();
    await this.#file?.appendFile(bytes);
    this.#bytes += bytes.byteLength;
  }

  async #rotate(): Promise<void> {
    const { path: current, clock } = this.#options;
    await this.close();
    const { dir, name, ext } = path.parse(current);
    await rename(current, path.join(dir, `${name}-${toFileTime(clock.now())}${ext}`));
    await this.open();
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    const { path: current, maxBackups, maxAgeMs, clock } = this.#options;
    if (maxBackups === 0 && maxAgeMs === 0) return;
    const { dir } = path.parse(current);
    const backups = await this.#backups();
    const tooMany = maxBackups === 0 ? [] : backups.slice(maxBackups);
    const tooOld = maxAgeMs === 0 ? [] : backups.filter(({ time }) => time < clock.now() - maxAgeMs);
    await Promise.all([...new Set([...tooMany, ...tooOld])].map(({ file }) => rm(path.join(dir, file), { force: true })));
  }

  /** Newest first. */
  async #backups(): Promise<readonly { readonly file: string; readonly time: number }[]> {
    const { dir, name, ext } = path.parse(this.#options.path);
    const files = await readdir(dir === '' ? '.' : dir);
    return files
      .flatMap((file) => {
        if (!file.startsWith(`${name}-`) || !file.endsWith(ext)) return [];
        const time = parseFileTime(file.slice(name.length + 1, file.length - ext.length));
        return time === undefined ? [] : [{ file, time }];
      })
      .sort((a, b) => b.time - a.time);
  }
}

/** Colons are not allowed in file names everywhere. */
const toFileTime = (ms: number): string => new Date(ms).toISOString().replaceAll(':', '-').replace('Z', '');

const FILE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/;

function parseFileTime(text: string): number | undefined {
  const [, date, hour, minute, second] = FILE_TIME.exec(text) ?? [];
  const time = Date.parse(`${date ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}Z`);
  return Number.isNaN(time) ? undefined : time;
}
