/** Reads generated documents in `schemas/openapi`, with the group suffix of this server. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import { groupNameWith, renameGroups } from './group-names.ts';

export interface DocumentFolder {
  /** The installed `schemas/openapi`. */
  readonly folder: string;
  readonly groupSuffix: string;
}

/** `file`: relative, such as `v2.json`. Rejects when it cannot be read, since the installation is incomplete. */
export async function readDocument(file: string, { folder, groupSuffix }: DocumentFolder): Promise<Buffer> {
  const bytes = await readFile(path.join(folder, file));
  if (groupSuffix === DEFAULT_GROUP_SUFFIX) return bytes;
  const document: unknown = JSON.parse(bytes.toString('utf8'));
  return Buffer.from(JSON.stringify(renameGroups(document, groupNameWith(groupSuffix))));
}

/** OpenAPI 3.0 files by the end of their URL path: `apis/batch/v1` → `v3/apis/batch/v1.json`. */
export function versionThreeFiles(
  definitions: readonly Pick<ResourceDefinition, 'group' | 'version'>[],
  groupSuffix: string,
): ReadonlyMap<string, string> {
  const files = new Map(['api', 'api/v1', 'apis', 'version'].map((name) => [name, `v3/${name}.json`]));
  for (const { group, version } of definitions) {
    if (group === '') continue; // `api/v1` is always there
    const suffix = `.${groupSuffix}`;
    const inFolder = group.endsWith(suffix) ? `${group.slice(0, -suffix.length)}.${DEFAULT_GROUP_SUFFIX}` : group;
    files.set(`apis/${group}`, `v3/apis/${inFolder}.json`);
    files.set(`apis/${group}/${version}`, `v3/apis/${inFolder}/${version}.json`);
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
