import { describe, expect, it } from '@jest/globals';
import type { ComponentDocument } from '../config-document.ts';
import type { ConfigKindName } from '../kinds/config-kind.ts';
import { controllersOf } from '../kinds/controllers-of.ts';
import { parseConfig } from '../load-config.ts';
import { enabledControllers } from './enabled-controllers.ts';
import { equivalentFlags } from './equivalent-flags.ts';

function componentOf(text: string, kind: ConfigKindName = 'ClusterControllerManagerConfiguration'): ComponentDocument {
  const group = kind.replace('Configuration', '').toLowerCase();
  const loaded = parseConfig(`apiVersion: ${group}.config.k8s.io/v1alpha1\nkind: ${kind}\n${text}`);
  if (!loaded.valid) throw new Error(JSON.stringify(loaded.problems));
  const document = loaded.documents.find((each): each is ComponentDocument => each.kind !== 'LeaderMigrationConfiguration');
  if (document === undefined) throw new Error('there is no component');
  return document;
}

const decided = (text: string, name: string, kind?: ConfigKindName) => {
  const found = enabledControllers(componentOf(text, kind)).find((controller) => controller.name === name);
  return found === undefined ? 'unknown' : `${found.runs ? 'runs' : 'off'}: ${found.why}`;
};

describe('enabled controllers', () => {
  it.each(['ClusterControllerManagerConfiguration', 'CloudControllerManagerConfiguration'] as const)(
    'of %s are by default those of the facts',
    (kind) => {
      const running = enabledControllers(componentOf('', kind)).filter(({ runs }) => runs);
      expect(running.map(({ name }) => name)).toEqual(
        controllersOf(kind).flatMap(({ name, runsByDefault }) => (runsByDefault ? [name] : [])),
      );
    },
  );

  it.each([
    ['Generic: {Controllers: ["*", -ttl, ttl-controller]}', 'ttl-controller', 'off: Generic.Controllers[1] is -ttl'],
    ['Generic: {Controllers: [job]}', 'job-controller', 'runs: Generic.Controllers[0] is job'],
    ['Generic: {Controllers: [job]}', 'ttl-controller', 'off: Generic.Controllers has neither it nor *'],
    ['', 'token-cleaner-controller', 'off: off by default, and Generic.Controllers does not name it'],
    ['', 'node-ipam-controller', 'off: ClusterCloudShared.AllocateNodeCIDRs is false'],
    ['SAController: {ServiceAccountKeyFile: k}', 'serviceaccount-token-controller', 'runs: on by default'],
    ['', 'podcertificaterequest-cleaner-controller', 'off: needs the feature gate PodCertificateRequest, which is off by default'],
    ['Generic: {Controllers: ["*", service]}', 'service-lb-controller', 'off: runs in the cloud controller manager only'],
  ])('%s: %s is %s', (text, name, decision) => expect(decided(text, name)).toBe(decision));

  it('make no routes that nobody configures', () => {
    expect(
      decided('ClusterCloudShared: {ConfigureCloudRoutes: false}', 'node-route-controller', 'CloudControllerManagerConfiguration'),
    ).toBe('off: ClusterCloudShared.ConfigureCloudRoutes is false');
  });
});

describe('equivalent flags', () => {
  it('say what the file sets, each once', () => {
    expect(
      equivalentFlags(
        componentOf(
          'Generic: {Port: 0, Controllers: ["*", -ttl], MinResyncPeriod: 720m, LeaderElection: {leaderElect: false}}\nNodeIPAMController: {ServiceCIDR: 10.0.0.0/16, SecondaryServiceCIDR: "fd00::/112"}\nCSRSigningController: {LegacyUnknownSignerConfiguration: {CertFile: c, KeyFile: k}}\nPodGCController: {TerminatedPodGCThreshold: -1}\nGarbageCollectorController: {GCIgnoredResources: [{Resource: events}]}\n',
        ),
      ),
    ).toEqual({
      flags: [
        '--min-resync-period=12h0m0s',
        '--leader-elect=false',
        '--controllers=*,-ttl',
        '--cluster-signing-legacy-unknown-cert-file=c',
        '--cluster-signing-legacy-unknown-key-file=k',
        '--service-cluster-ip-range=10.0.0.0/16,fd00::/112',
        '--terminated-pod-gc-threshold=-1',
      ],
      withoutFlag: ['Generic.Port', 'GarbageCollectorController.GCIgnoredResources'],
    });
  });

  it('are none for a migration, which is a file there', () => {
    const text = 'Generic: {LeaderMigrationEnabled: true, LeaderMigration: {leaderName: l, resourceLock: leases}}';
    expect(equivalentFlags(componentOf(text))).toEqual({
      flags: ['--enable-leader-migration=true'],
      withoutFlag: ['Generic.LeaderMigration'],
    });
  });
});
