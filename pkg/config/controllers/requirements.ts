/** Settings that a controller requires to run at all. */
import type { ComponentDocument } from '../config-document.ts';
import type { KnownController } from '../kinds/known-controllers.ts';
import { signerPairs } from './signer-pairs.ts';
import type { SignerPair } from './signer-pairs.ts';

export interface UnmetRequirement {
  /** The missing requirement, as a clause. */
  readonly why: string;
  /** Paths of the fields that would have to change. */
  readonly decidingPaths: readonly string[];
}

const ROUTES = 'ClusterCloudShared.ConfigureCloudRoutes';

/** Undefined if the controller can run. */
export function unmetRequirement(document: ComponentDocument, { name, cloudProvider }: KnownController): UnmetRequirement | undefined {
  if (document.kind === 'CloudControllerManagerConfiguration') {
    const routes = document.config.ClusterCloudShared.ConfigureCloudRoutes;
    return name === 'node-route-controller' && !routes ? isFalse(ROUTES) : undefined;
  }
  if (cloudProvider === true) return { why: 'runs in the cloud controller manager only', decidingPaths: [] };
  const { SAController, GarbageCollectorController, ClusterCloudShared } = document.config;
  switch (name) {
    case 'serviceaccount-token-controller':
      return SAController.ServiceAccountKeyFile === '' ? isUnset('SAController.ServiceAccountKeyFile') : undefined;
    case 'garbage-collector-controller':
      return GarbageCollectorController.EnableGarbageCollector ? undefined : isFalse('GarbageCollectorController.EnableGarbageCollector');
    case 'node-ipam-controller':
      return ClusterCloudShared.AllocateNodeCIDRs ? undefined : isFalse('ClusterCloudShared.AllocateNodeCIDRs');
    case 'certificatesigningrequest-signing-controller':
      return withoutSigner(signerPairs(document));
    default:
      return undefined;
  }
}

const isFalse = (path: string): UnmetRequirement => ({ why: `${path} is false`, decidingPaths: [path] });
const isUnset = (path: string): UnmetRequirement => ({ why: `${path} is not set`, decidingPaths: [path] });

function withoutSigner(pairs: readonly SignerPair[]): UnmetRequirement | undefined {
  if (pairs.some(({ cert, key }) => cert !== '' && key !== '')) return undefined;
  const decidingPaths = pairs.flatMap(({ certPath, keyPath }) => [certPath, keyPath]);
  return { why: 'CSRSigningController has no certificate and key for any signer', decidingPaths };
}
