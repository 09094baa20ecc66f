import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, withElements, withMembers } from '../../../with-members.ts';
import type {
  EphemeralVolumeSource,
  ImageVolumeSource,
  PersistentVolumeClaimSpec,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from '../types.gen.ts';
import { withAzureDiskDefaults, withHostPathDefaults, withIscsiDefaults, withRbdDefaults, withScaleIoDefaults } from './disks.ts';
import { withFilesDefaults } from './field-references.ts';
import { defaultPullPolicy } from './image-pull-policy.ts';
import { withRoundedRequirements } from './resource-amounts.ts';

const DEFAULT_MODE = 0o644;

/** A volume without a source gets an emptyDir. */
export function withVolumeDefaults(volume: Unchecked<Volume>): Unchecked<Volume> {
  if (!hasSource(volume)) return { ...volume, emptyDir: {} };
  return withMembers(volume, {
    hostPath: ifGiven(volume.hostPath, withHostPathDefaults),
    secret: ifGiven(volume.secret, withModeDefault),
    iscsi: ifGiven(volume.iscsi, withIscsiDefaults),
    rbd: ifGiven(volume.rbd, withRbdDefaults),
    downwardAPI: ifGiven(volume.downwardAPI, (source) => {
      const withFiles = withMembers(source, { items: withFilesDefaults(source.items) });
      return withModeDefault(withFiles);
    }),
    configMap: ifGiven(volume.configMap, withModeDefault),
    azureDisk: ifGiven(volume.azureDisk, withAzureDiskDefaults),
    projected: ifGiven(volume.projected, withProjectedDefaults),
    scaleIO: ifGiven(volume.scaleIO, withScaleIoDefaults),
    ephemeral: ifGiven(volume.ephemeral, withEphemeralDefaults),
    image: ifGiven(volume.image, withImageDefaults),
  });
}

function hasSource(volume: Unchecked<Volume>): boolean {
  for (const field in volume) if (field !== 'name') return true;
  return false;
}

interface WithMode {
  readonly defaultMode?: number;
}

const withModeDefault = <T extends WithMode>(source: T): T =>
  withMembers<T, WithMode>(source, { defaultMode: source.defaultMode ?? DEFAULT_MODE });

const withProjectedDefaults = (source: Unchecked<ProjectedVolumeSource>): Unchecked<ProjectedVolumeSource> =>
  withModeDefault(withMembers(source, { sources: withElements(source.sources, withProjectionDefaults) }));

const withProjectionDefaults = (projection: Unchecked<VolumeProjection>): Unchecked<VolumeProjection> =>
  withMembers(projection, {
    downwardAPI: ifGiven(projection.downwardAPI, (source) => withMembers(source, { items: withFilesDefaults(source.items) })),
    serviceAccountToken: ifGiven(projection.serviceAccountToken, (token) =>
      withMembers(token, { expirationSeconds: token.expirationSeconds ?? 3600 }),
    ),
  });

const withEphemeralDefaults = (source: Unchecked<EphemeralVolumeSource>): Unchecked<EphemeralVolumeSource> =>
  withMembers(source, {
    volumeClaimTemplate: ifGiven(source.volumeClaimTemplate, (template) =>
      withMembers(template, { spec: withClaimDefaults(template.spec ?? {}) }),
    ),
  });

const withClaimDefaults = (claim: Unchecked<PersistentVolumeClaimSpec>): Unchecked<PersistentVolumeClaimSpec> =>
  withMembers(claim, { resources: ifGiven(claim.resources, withRoundedRequirements), volumeMode: claim.volumeMode ?? 'Filesystem' });

const withImageDefaults = (source: Unchecked<ImageVolumeSource>): Unchecked<ImageVolumeSource> =>
  withMembers(source, { pullPolicy: source.pullPolicy || defaultPullPolicy(source.reference) });
