/** What a controller needs of its configuration to run at all. */
import type { ComponentDocument } from '../config-document.ts';
import type { KnownController } from '../kinds/known-controllers.ts';
import { signerPairs } from './signer-pairs.ts';
import type { SignerPair } from './signer-pairs.ts';

export interface UnmetNeed {
  /** Half a sentence. */
  readonly why: string;
  /** Paths of the fields that would have to say something else. */
  readonly restsOn: readonly string[];
}

const ROUTES = 'ClusterCloudShared.ConfigureCloudRoutes';

/** Undefined when it can run. */
export function unmetNeed(document: ComponentDocument, { name, cloudProvider }: KnownController): UnmetNeed | undefined {
  if (document.kind === 'CloudControllerManagerConfiguration') {
    const routes = document.config.ClusterCloudShared.ConfigureCloudRoutes;
    return name === 'node-route-controller' && !routes ? isFalse(ROUTES) : undefined;
  }
  if (cloudProvider === true) return { why: 'runs in the cloud controller manager only', restsOn: [] };
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

const isFalse = (path: string): UnmetNeed => ({ why: `${path} is false`, restsOn: [path] });
const isUnset = (path: string): UnmetNeed => ({ why: `${path} is not set`, restsOn: [path] });

function withoutSigner(pairs: readonly SignerPair[]): UnmetNeed | undefined {
  if (pairs.some(({ cert, key }) => cert !== '' && key !== '')) return undefined;
  const restsOn = pairs.flatMap(({ certPath, keyPath }) => [certPath, keyPath]);
  return { why: 'CSRSigningController has no certificate and key for any signer', restsOn };
}
