import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where a file or folder of the installation is. The built files stand one folder below its root, the sources two. */
export function ownPath(name: string): string {
  const candidates = ['..', '../..'].map((up) => path.resolve(import.meta.dirname, up, name));
  return candidates.find((candidate) => existsSync(candidate)) ?? path.resolve(name);
}
