import { describe, expect, it } from '@jest/globals';
import { convertSpelling } from './convert-spelling.ts';

const OLD = `# ours
apiVersion: "kubecontrollermanager.config.example.org/v1alpha1"   # why
kind: 'KubeControllerManagerConfiguration'
"KubeCloudShared": {ClusterName: kubeconfig}   # KubeCloudShared
Generic:
    ClientConnection:   { kubeconfig: /etc/kubeconfig,}

Unknown: KubeCloudShared
`;

const CURRENT = `# ours
apiVersion: "clustercontrollermanager.config.example.org/v1alpha1"   # why
kind: 'ClusterControllerManagerConfiguration'
"ClusterCloudShared": {ClusterName: kubeconfig}   # KubeCloudShared
Generic:
    ClientConnection:   { clusterconfig: /etc/kubeconfig,}

Unknown: KubeCloudShared
`;

describe('convertSpelling', () => {
  it('replaces names, and nothing else', () => {
    expect(convertSpelling(OLD, 'current')).toBe(CURRENT);
    expect(convertSpelling(CURRENT, 'old')).toBe(OLD);
    expect(convertSpelling(CURRENT, 'current')).toBe(CURRENT);
  });

  it('replaces what several aliases lead to once', () => {
    const text = `apiVersion: clustercontrollermanager.config.k8s.io/v1alpha1\nkind: ClusterControllerManagerConfiguration\nx: &c {ClientConnection: {clusterconfig: a}}\nGeneric: *c\n`;
    expect(convertSpelling(text, 'old')).toContain('&c {ClientConnection: {kubeconfig: a}}');
  });

  it('leaves a text alone that cannot be read', () => expect(convertSpelling('kind: [', 'old')).toBe('kind: ['));
});
