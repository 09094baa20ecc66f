/** Configurations of the tests of the commands, as people write them. */
import { CLUSTER_HEAD } from '../../support/config-files.ts';

/** One mistake of each sort, in lines that are long, wide, indented by tabs and hard to show. */
export const MISTAKES = `${CLUSTER_HEAD}Generic:
  Controllers: ['*', -ttl, nonsense, -ttl]
  Controlers: []
  MinResyncPeriod: 12hours
  LeaderElection: {leaseDuration: 10, renewDeadline: 20s, leaderElect: true, resourceLock: endpoints} # a comment that goes on and on beyond what any terminal shows in a line
ClusterCloudShared: {ClusterName: "日本語日本語日本語日本語日本語", AllocateNodeCIDRs: true, ClusterCIDR: "日本語日本語"}   # 日本語のコメント
JobController:\t{\tConcurrentJobSyncs:\t-5}
CronJobController: {"e\u0301x\u{1f44d}": 5, "\\e[2J": 6}
NodeIpamController:
  ServiceCIDR: 10.96.0.0/12
`;

/** As they were written for the original component. */
export const OLDER = `# Written for the original component.
apiVersion: kubecontrollermanager.config.k8s.io/v1alpha1
kind: KubeControllerManagerConfiguration
Generic:
  ClientConnection:
    kubeconfig: /etc/kubernetes/controller-manager.conf   # the client
    qps: 20
  Controllers: ["*", bootstrapsigner, tokencleaner, -ttl]
  LeaderElection:
    leaderElect: true
    resourceName: ours
KubeCloudShared:
  AllocateNodeCIDRs: true
  ClusterCIDR: 10.244.0.0/16
  ClusterName: it's a "b" $HOME

  # as often as the nodes report
  NodeMonitorPeriod: 6s   # seconds
CSRSigningController:
  KubeletClientSignerConfiguration: &signer {CertFile: /pki/ca.crt, KeyFile: /pki/ca.key}
  KubeletServingSignerConfiguration: *signer
NodeIPAMController: {ServiceCIDR: 10.96.0.0/12}
NodeLifecycleController:
  NodeMonitorGracePeriod: 50s
`;

export const MIGRATION = `apiVersion: controllermanager.config.k8s.io/v1alpha1
kind: LeaderMigrationConfiguration
leaderName: cloud-provider-extraction-migration
resourceLock: leases
controllerLeaders:
  - name: service-lb-controller
    component: '*'
`;
