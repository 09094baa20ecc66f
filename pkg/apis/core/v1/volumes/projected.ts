/** The rules of projected volumes, which combine files of several sources. */
import { causesOfElements, forbidden, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { writtenPathCauses } from '../paths.ts';
import type { ProjectedVolumeSource, ServiceAccountTokenProjection, VolumeProjection } from '../types.gen.ts';
import { CERTIFICATE_FILES, validateClusterTrustBundle, validatePodCertificate } from './certificate-projections.ts';
import { modeCauses } from './file-mode.ts';
import { validateDownwardApiFiles, validateKeys } from './files.ts';
import { missingCauses } from './missing-fields.ts';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;
/** The possible members of a source. */
export const PROJECTED_SOURCES = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

/** An empty source is valid; it only causes a warning. */
export function validateProjected(source: Unchecked<ProjectedVolumeSource>, path: FieldPath): readonly StatusCause[] {
  const ofMode = modeCauses(source.defaultMode, path, 'defaultMode');
  const taken = new Set<string>();
  const ofSources = causesOfElements(path.child('sources'), source.sources, (projection, at) => {
    const causes = projectionCauses(projection, at, path);
    for (const file of filesOf(projection)) {
      // As in Kubernetes, the cause points to the volume, and names the Secret or ConfigMap instead of its file.
      const shown = projection.secret?.name ?? projection.configMap?.name ?? file;
      if (taken.has(file)) causes.push(invalidValue(path, shown, 'conflicting duplicate paths'));
      else taken.add(file);
    }
    return causes;
  });
  return ofMode.length === 0 ? ofSources : [...ofMode, ...ofSources];
}

function projectionCauses(projection: Unchecked<VolumeProjection>, path: FieldPath, volumePath: FieldPath): StatusCause[] {
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = projection;
  const causes: StatusCause[] = [];
  if (secret !== undefined) causes.push(...keyedCauses(secret, path.child('secret')));
  if (configMap !== undefined) causes.push(...keyedCauses(configMap, path.child('configMap')));
  if (downwardAPI !== undefined) causes.push(...validateDownwardApiFiles(downwardAPI.items, path.child('downwardAPI')));
  if (serviceAccountToken !== undefined) {
    causes.push(...tokenCauses(serviceAccountToken, path.child('serviceAccountToken'), volumePath));
  }
  if (clusterTrustBundle !== undefined) causes.push(...validateClusterTrustBundle(clusterTrustBundle, path.child('clusterTrustBundle')));
  if (podCertificate !== undefined) causes.push(...validatePodCertificate(podCertificate, path.child('podCertificate')));
  if (PROJECTED_SOURCES.filter((name) => projection[name] !== undefined).length > 1) {
    causes.push(forbidden(path, 'may not specify more than 1 volume type per source'));
  }
  return causes;
}

type Keyed = NonNullable<Unchecked<VolumeProjection>['secret' | 'configMap']>;

const keyedCauses = (source: Keyed, path: FieldPath): readonly StatusCause[] => [
  ...missingCauses(source, path, 'name'),
  ...validateKeys(source.items, path),
];

/** As in Kubernetes, causes for the file's path omit the source. */
function tokenCauses(source: Unchecked<ServiceAccountTokenProjection>, path: FieldPath, volumePath: FieldPath): readonly StatusCause[] {
  const { path: file = '' } = source;
  const ofPath = file === '' ? [required(volumePath.child('path'))] : writtenPathCauses(file, volumePath.child('path'));
  return [...tokenExpirationCauses(source.expirationSeconds, path), ...ofPath];
}

function tokenExpirationCauses(seconds: number | bigint | undefined, path: FieldPath): readonly StatusCause[] {
  if (seconds === undefined || (seconds >= MIN_TOKEN_SECONDS && seconds <= MAX_TOKEN_SECONDS)) return NO_CAUSES;
  const why = seconds < MIN_TOKEN_SECONDS ? 'less than 10 minutes' : 'larger than 2^32 seconds';
  return [invalidValue(path.child('expirationSeconds'), seconds, `may not specify a duration ${why}`)];
}

/** Paths of a source that must be unique in the volume. The path of a token is not compared. */
function* filesOf({ secret, configMap, downwardAPI, clusterTrustBundle, podCertificate }: Unchecked<VolumeProjection>): Generator<string> {
  for (const { path = '' } of [...(secret?.items ?? []), ...(configMap?.items ?? []), ...(downwardAPI?.items ?? [])]) {
    if (path !== '') yield path;
  }
  if (clusterTrustBundle !== undefined) yield clusterTrustBundle.path ?? '';
  for (const field of CERTIFICATE_FILES) {
    const path = podCertificate?.[field] ?? '';
    if (path !== '') yield path;
  }
}
