import { existsSync } from 'node:fs';
import path from 'node:path';

/** The path of an installed file. Bundles are one folder below the root, sources two. */
export function ownPath(name: string): string {
  const candidates = ['..', '../..'].map((up) => path.resolve(import.meta.dirname, up, name));
  return candidates.find((candidate) => existsSync(candidate)) ?? path.resolve(name);
}
