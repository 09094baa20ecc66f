/** The version. Imports nothing of the server, since small commands use it. */
import { readFileSync } from 'node:fs';

/** From package.json, one folder above bundles and two above sources. */
export function ownVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (isOwnManifest(manifest)) return manifest.version;
    } catch {
      continue; // not in this folder
    }
  }
  return '0.0.0';
}

const isOwnManifest = (manifest: unknown): manifest is { readonly version: string } =>
  typeof manifest === 'object' &&
  manifest !== null &&
  'name' in manifest &&
  manifest.name === 'coxswain' &&
  'version' in manifest &&
  typeof manifest.version === 'string';
