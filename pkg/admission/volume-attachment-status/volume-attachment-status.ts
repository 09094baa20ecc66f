/**
 * Only who may write `volumeattachments/status` changes the status of a VolumeAttachment on its main path, where the
 * specification has it. Others' writes leave it as it is.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../apis/kind.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';

export interface VolumeAttachmentStatusOptions {
  readonly groupSuffix: string;
  readonly authorizer: Authorizer;
}

export const createVolumeAttachmentStatus = ({ groupSuffix, authorizer }: VolumeAttachmentStatusOptions): AdmissionPlugin => ({
  name: 'VolumeAttachmentStatus',
  admit: async (request, object) => {
    const { definition, subresource, user, stored } = request;
    const isConcerned = definition.resource === 'volumeattachments' && definition.group === `storage.${groupSuffix}`;
    if (!isConcerned || subresource !== '' || user === undefined) return object;
    if (isDeepStrictEqual(object['status'], stored?.['status'])) return object;
    return (await mayWriteStatus(authorizer, request)) ? object : withStatusOf(object, stored);
  },
});

async function mayWriteStatus(authorizer: Authorizer, { definition, user, name }: AdmissionRequest): Promise<boolean> {
  if (user === undefined) return true;
  const { group, version, resource } = definition;
  for (const verb of ['update', 'patch']) {
    const access = { isResource: true, user, verb, group, version, resource, subresource: 'status', namespace: '', name } as const;
    if ((await authorizer.authorize(access)).decision === 'allow') return true;
  }
  return false;
}

const withStatusOf = (object: KubernetesObject, stored: KubernetesObject | undefined): KubernetesObject => ({
  ...object,
  status: stored?.['status'],
});
