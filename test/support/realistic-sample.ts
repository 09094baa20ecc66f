/** `testdata/realistic.json` of a kind's folder. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createKinds } from '../../pkg/apis/kinds.gen.ts';
import { DEFAULT_GROUP_SUFFIX } from '../../pkg/apis/group-suffix.ts';

const apis = path.resolve(import.meta.dirname, '../../pkg/apis');
/** The first label of a group names its folder, and the folders of the kinds' own groups are called otherwise. */
const FOLDERS: Readonly<Record<string, string>> = { internal: 'apiserverinternal' };

export interface RealisticSample {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A new object each time. */
export function realisticSample(kind: string): RealisticSample {
  const found = createKinds({ groupSuffix: DEFAULT_GROUP_SUFFIX }).find(({ definition }) => definition.kind === kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  const { group, version, resource } = found.definition;
  const [first = ''] = group.split('.');
  const file = path.join(apis, FOLDERS[first] ?? first, version, resource, 'testdata/realistic.json');
  return JSON.parse(readFileSync(file, 'utf8')) as RealisticSample;
}
