import type { LineWriter } from './log-backend.ts';

/** For `--audit-log-path=-`. */
export const createStandardOutput = (stream: NodeJS.WritableStream): LineWriter => ({
  write: (lines) => new Promise((resolve, reject) => stream.write(lines.join(''), (error) => (error ? reject(error) : resolve()))),
  close: () => Promise.resolve(),
});
