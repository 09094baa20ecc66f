/** Warns of two files of a volume with the same path, or where one's path is a directory in the other's. */
import type { Unchecked } from '../../../define-strategy.ts';
import type { Volume, VolumeProjection } from '../types.gen.ts';
import { PROJECTED_SOURCES } from '../volumes/projected.ts';

interface PlacedFile {
  readonly path: string;
  /** The source of the file, if the volume has several. */
  readonly source: string;
}
type Files = readonly { readonly path?: string }[];

const show = (text = ''): string => JSON.stringify(text);
const showFile = ({ path, source }: PlacedFile): string => (source === '' ? show(path) : `${show(path)} (${source})`);
const placed = (files: Files | undefined, source = ''): readonly PlacedFile[] => (files ?? []).map(({ path = '' }) => ({ path, source }));

export function* warnOfOverlaps(volumes: readonly Unchecked<Volume>[] = []): Generator<string> {
  for (const { name, configMap, secret, downwardAPI, projected } of volumes) {
    const volume = `volume ${show(name)}`;
    yield* overlaps(placed(configMap?.items), `${volume} (ConfigMap ${show(configMap?.name)})`);
    yield* overlaps(placed(secret?.items), `${volume} (Secret ${show(secret?.secretName)})`);
    yield* overlaps(placed(downwardAPI?.items), `${volume} (DownwardAPI)`);
    if (projected?.sources === undefined) continue;
    for (const source of projected.sources) {
      if (!PROJECTED_SOURCES.some((name) => source[name] !== undefined)) yield `${volume} (Projected) has no sources provided`;
    }
    yield* overlaps(projected.sources.flatMap(filesOf), `${volume} (Projected)`);
  }
}

function filesOf(projection: Unchecked<VolumeProjection>): readonly PlacedFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection;
  if (configMap?.items !== undefined) return placed(configMap.items, `ConfigMap ${show(configMap.name)}`);
  if (secret?.items !== undefined) return placed(secret.items, `Secret ${show(secret.name)}`);
  if (downwardAPI?.items !== undefined) return placed(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken !== undefined) return placed([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle !== undefined) {
    return placed([clusterTrustBundle], `ClusterTrustBundle ${show(clusterTrustBundle.name ?? clusterTrustBundle.signerName)}`);
  }
  if (podCertificate === undefined) return [];
  const { certificateChainPath = '', keyPath = '', credentialBundlePath = '' } = podCertificate;
  return [
    { path: certificateChainPath, source: 'PodCertificate chain' },
    { path: keyPath, source: 'PodCertificate key' },
    { path: credentialBundlePath, source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

/** Yields one warning per pair, naming the later file first. One pass is enough, as the paths are sorted. */
function* overlaps(files: readonly PlacedFile[], where: string): Generator<string> {
  if (files.length < 2) return;
  const sorted = files
    .map(({ path, source }, index) => ({ index, path: withoutTrailingSlashes(path), source }))
    .filter(({ path }) => path !== '')
    .map((file) => ({ ...file, folder: `${file.path}/` }))
    .sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : a.index - b.index));
  const pairs: (readonly [later: (typeof sorted)[number], earlier: (typeof sorted)[number]])[] = [];
  const above: typeof sorted = [];
  for (const file of sorted) {
    for (let last = above.at(-1); last !== undefined && !file.folder.startsWith(last.folder); last = above.at(-1)) above.pop();
    for (const other of above) pairs.push(file.index > other.index ? [file, other] : [other, file]);
    above.push(file);
    if (pairs.length > MAX_PAIRS) break;
  }
  pairs.sort(([a, b], [c, d]) => a.index - c.index || b.index - d.index);
  for (const [later, earlier] of pairs) yield `${where}: overlapping paths: ${showFile(later)} with ${showFile(earlier)}`;
}

/** Above the number of warnings that are ever sent. */
const MAX_PAIRS = 1000;

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.endsWith('/', end)) end--;
  return path.slice(0, end);
}
