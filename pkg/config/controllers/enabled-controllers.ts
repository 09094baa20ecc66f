/** Which controllers run, and why: the list `Generic.Controllers`, feature gates, and what else a controller needs. */
import type { ConfigDocument, ConfigDocumentOf } from '../config-document.ts';
import { KNOWN_CONTROLLERS } from '../kinds/controllers.gen.ts';
import { controllerNamed, controllersOf } from '../kinds/controllers-of.ts';
import type { KnownController } from '../kinds/known-controllers.ts';

export interface EnabledController {
  readonly name: string;
  readonly runs: boolean;
  /** Half a sentence: what decided it. */
  readonly why: string;
}

export type ComponentDocument = Exclude<ConfigDocument, ConfigDocumentOf<'LeaderMigrationConfiguration'>>;

/** In the order in which the component starts them. Gates have their defaults; controllers that a cloud's provider adds are not known. */
export function enabledControllers(document: ComponentDocument): EnabledController[] {
  return controllersOf(document.kind).map((controller) => ({ name: controller.name, ...decide(document, controller) }));
}

function decide(document: ComponentDocument, controller: KnownController): Omit<EnabledController, 'name'> {
  const listed = selected(document, controller);
  if (!listed.runs) return listed;
  const closed = controller.featureGates.find((gate) => KNOWN_CONTROLLERS.featureGates[gate]?.onByDefault !== true);
  if (closed !== undefined) return { runs: false, why: `needs the feature gate ${closed}, which is off by default` };
  const missing = missingFor(document, controller);
  return missing === undefined ? listed : { runs: false, why: missing };
}

/** The first item that names it decides; else `*`, for those that are on by default. */
function selected({ kind, config }: ComponentDocument, { name, enabledByDefault }: KnownController): Omit<EnabledController, 'name'> {
  const items = config.Generic.Controllers;
  for (const [index, item] of items.entries()) {
    const isOff = item.startsWith('-');
    if (controllerNamed(kind, isOff ? item.slice(1) : item)?.name !== name) continue;
    return { runs: !isOff, why: `Generic.Controllers[${index}] is ${item}` };
  }
  if (!items.includes('*')) return { runs: false, why: 'Generic.Controllers has neither it nor *' };
  return enabledByDefault
    ? { runs: true, why: 'on by default' }
    : { runs: false, why: 'off by default, and Generic.Controllers does not name it' };
}

function missingFor(document: ComponentDocument, { name, cloudProvider }: KnownController): string | undefined {
  if (document.kind === 'CloudControllerManagerConfiguration') {
    const routes = document.config.ClusterCloudShared.ConfigureCloudRoutes;
    return name === 'node-route-controller' && !routes ? 'ClusterCloudShared.ConfigureCloudRoutes is false' : undefined;
  }
  if (cloudProvider === true) return 'runs in the cloud controller manager only';
  const { SAController, GarbageCollectorController, CSRSigningController, ClusterCloudShared } = document.config;
  switch (name) {
    case 'serviceaccount-token-controller':
      return SAController.ServiceAccountKeyFile === '' ? 'SAController.ServiceAccountKeyFile is not set' : undefined;
    case 'garbage-collector-controller':
      return GarbageCollectorController.EnableGarbageCollector ? undefined : 'GarbageCollectorController.EnableGarbageCollector is false';
    case 'node-ipam-controller':
      return ClusterCloudShared.AllocateNodeCIDRs ? undefined : 'ClusterCloudShared.AllocateNodeCIDRs is false';
    case 'certificatesigningrequest-signing-controller':
      return signs(CSRSigningController) ? undefined : 'CSRSigningController has no certificate and key for any signer';
    default:
      return undefined;
  }
}

function signs(signing: ConfigDocumentOf<'ClusterControllerManagerConfiguration'>['config']['CSRSigningController']): boolean {
  const pairs = [
    { CertFile: signing.ClusterSigningCertFile, KeyFile: signing.ClusterSigningKeyFile },
    signing.NodeAgentServingSignerConfiguration,
    signing.NodeAgentClientSignerConfiguration,
    signing.ClusterAPIServerClientSignerConfiguration,
    signing.LegacyUnknownSignerConfiguration,
  ];
  return pairs.some(({ CertFile, KeyFile }) => CertFile !== '' && KeyFile !== '');
}
