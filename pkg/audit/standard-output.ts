import type { LineWriter } from './log-backend.ts';

/** For `--audit-log-path=-`. */
export const createStandardOutput = (stream: NodeJS.WritableStream): LineWriter => ({
  write: (lines) => new Promise((resolve, reject) => stream.write(Buffer.concat(lines), (error) => (error ? reject(error) : resolve()))),
  close: () => Promise.resolve(),
});
