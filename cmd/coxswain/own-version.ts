/** Which version this is. Knows nothing of the server: small commands say it too. */
import { readFileSync } from 'node:fs';

/** From package.json, which stands one folder above the built files, and two above the sources. */
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
