/**
 * Writes Events as lines. They are collected while a write is under way, so that a request never waits for the disk
 * and many Events cost one write.
 */
import type { AuditBackend, ReportLoss } from './audit-backend.ts';

/** A file, or standard output. */
export interface LineWriter {
  /** Lines with their ends. */
  write(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface LogBackendOptions {
  readonly writer: LineWriter;
  readonly reportLoss: ReportLoss;
  readonly maxBufferedBytes?: number;
}

const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

export function createLogBackend({ writer, reportLoss, maxBufferedBytes = MAX_BUFFERED_BYTES }: LogBackendOptions): AuditBackend {
  let lines: string[] = [];
  let bufferedBytes = 0;
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    // Lets a tick's Events become one write.
    await new Promise((resolve) => setImmediate(resolve));
    while (lines.length > 0) {
      const taken = lines;
      lines = [];
      bufferedBytes = 0;
      await writer.write(taken).catch((error: unknown) => reportLoss(taken.length, toError(error)));
    }
    writing = undefined;
  };

  return {
    name: 'log',
    process: (event) => {
      const line = `${event}\n`;
      const bytes = Buffer.byteLength(line);
      if (bufferedBytes + bytes > maxBufferedBytes && lines.length > 0) {
        reportLoss(1, new Error('the buffer is full'));
        return;
      }
      lines.push(line);
      bufferedBytes += bytes;
      writing ??= writeAll();
    },
    close: async () => {
      await writing;
      await writer.close();
    },
  };
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
