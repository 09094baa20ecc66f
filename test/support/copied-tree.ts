/** A copy of the sources, for tests that change them and run them. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const COPIED = ['bin', 'cmd', 'docs', 'examples', 'pkg', 'schemas', 'test/support', 'package.json', 'tsconfig.json'];

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class CopiedTree implements Disposable {
  readonly root: string;

  constructor() {
    this.root = mkdtempSync(path.join(tmpdir(), 'copied-tree-'));
    for (const name of COPIED) cpSync(path.join(ROOT, name), this.path(name), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), this.path('node_modules'));
  }

  /** A path below the root of the copy. */
  path(name: string): string {
    return path.join(this.root, name);
  }

  /** Runs a program of the copy with Node.js until it ends. */
  run(program: string, ...parameters: readonly string[]): Promise<Output> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [program, ...parameters], { cwd: this.root }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? 1, stdout, stderr }),
      );
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}
