import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CLOUD_HEAD, CLUSTER_HEAD } from '../../../test/support/judged-config.ts';
import { createAuthority, DAY_MS, issueCertificate } from '../../certificates/issue.ts';
import { parseConfig } from '../load-config.ts';
import { checkFileContents } from './file-contents.ts';

const NOW = Date.UTC(2026, 5, 1);
const pem = { type: 'pkcs8', format: 'pem' } as const;
const ecKey = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: pem,
});
const edKey = generateKeyPairSync('ed25519', { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: pem });
const lockedKey = createPrivateKey(ecKey.privateKey)
  .export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'secret' })
  .toString();

const client = (fields: object) => JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...fields });
const CLUSTERS = { clusters: [{ name: 'c', cluster: { server: 'https://s' } }] };
const CONTEXTS = { 'current-context': 'x', contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }] };
const USERS = { users: [{ name: 'u', user: {} }] };
const POD = 'apiVersion: v1\nkind: Pod\nspec:\n';

const files = new Map<string, string>([
  ['/ec.key', ecKey.privateKey],
  ['/ed.key', edKey.privateKey],
  ['/locked.key', lockedKey],
  ['/public.key', ecKey.publicKey],
  ['/broken.crt', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['/empty', ''],
  ['/not-yaml', 'a: [\n'],
  ['/list', '[]'],
  ['/client', client({ ...CLUSTERS, ...CONTEXTS, ...USERS })],
  [
    '/client.yaml',
    `# ours\ncurrent-context: x\ncontexts:\n- name: x\n  context: {cluster: c}\nclusters:\n- name: c\n  cluster: {server: "https://s"}\n`,
  ],
  ['/other-kind', client({ kind: 'Pod' })],
  ['/no-current', client({ ...CLUSTERS })],
  ['/no-context', client({ ...CLUSTERS, 'current-context': 'y' })],
  ['/no-cluster', client({ ...CONTEXTS, ...USERS })],
  ['/no-user', client({ ...CLUSTERS, ...CONTEXTS })],
  ['/no-server', client({ ...CONTEXTS, ...USERS, clusters: [{ name: 'c', cluster: {} }] })],
  ['/no-lists', client({ clusters: {} })],
  ['/pod', `${POD}  volumes: [{name: v}]\n`],
  ['/pod-without-volume', `${POD}  volumes: []\n`],
  ['/pod-list', 'apiVersion: v1\nkind: PodList\n'],
]);

beforeAll(async () => {
  const ca = await createAuthority({ commonName: 'ca', now: NOW });
  const old = await createAuthority({ commonName: 'old', now: NOW - 11 * 365 * DAY_MS });
  const early = await createAuthority({ commonName: 'early', now: NOW + DAY_MS });
  const leaf = await issueCertificate(ca, { commonName: 'leaf', usage: 'server', now: NOW });
  for (const [name, { cert, key }] of Object.entries({ ca, old, early, leaf })) files.set(`/${name}.crt`, cert).set(`/${name}.key`, key);
  files.set('/two.crt', ca.cert + leaf.cert);
});

async function found(text: string, head = CLUSTER_HEAD, now = NOW): Promise<string[]> {
  const { problems, ...loaded } = parseConfig(head + text);
  if (!loaded.valid) throw new Error(JSON.stringify(problems));
  const read = async (path: string) => {
    const content = files.get(path);
    if (content === undefined) throw new Error('there is no such file');
    return content;
  };
  const findings = await Promise.all(loaded.documents.map((document) => checkFileContents(document, read, new Date(now))));
  return findings.flat().map(({ severity = 'error', path, message }) => `${severity} ${path}: ${message}`);
}

const SIGNING = 'CSRSigningController';
const signing = (cert: string, key: string) => found(`${SIGNING}: {ClusterSigningCertFile: ${cert}, ClusterSigningKeyFile: ${key}}`);

describe('keys and bundles', () => {
  it.each([
    ['ServiceAccountKeyFile', '/missing', 'cannot be read: there is no such file'],
    ['ServiceAccountKeyFile', '/ed.key', 'contains a key of type ed25519, not RSA or ECDSA'],
    ['ServiceAccountKeyFile', '/public.key', 'contains no PEM private key without a password'],
    ['ServiceAccountKeyFile', '/locked.key', 'contains no PEM private key without a password'],
    ['RootCAFile', '/empty', 'contains no PEM certificate'],
    ['RootCAFile', '/broken.crt', 'contains a certificate that cannot be read, number 1'],
  ])('reports for %s: %s %s', async (field, file, message) =>
    expect(await found(`SAController: {${field}: ${file}}`)).toEqual([`error SAController.${field}: "${file}" ${message}`]),
  );

  it.each([
    ['/two.crt', 'contains a certificate that is not a CA certificate, number 2'],
    ['/old.crt', 'contains a certificate that expired on 2025-06-01T00:00:00.000Z'],
    ['/early.crt', 'contains a certificate that is not valid before 2026-06-01T23:55:00.000Z'],
  ])('only warns for RootCAFile: %s %s', async (file, message) =>
    expect(await found(`SAController: {RootCAFile: ${file}}`)).toEqual([`warning SAController.RootCAFile: "${file}" ${message}`]),
  );

  it.each(['ServiceAccountKeyFile: /ec.key', 'RootCAFile: /ca.crt', 'ServiceAccountKeyFile: ""'])('are fine: %s', async (text) =>
    expect(await found(`SAController: {${text}}`)).toEqual([]),
  );
});

describe('signing files', () => {
  it('must be a CA and its own key', async () => {
    expect(await signing('/ca.crt', '/ca.key')).toEqual([]);
    expect(await signing('/ca.crt', '/ec.key')).toEqual([
      `error ${SIGNING}.ClusterSigningKeyFile: "/ec.key" does not match the certificate "/ca.crt"`,
    ]);
    expect(await signing('/leaf.crt', '/leaf.key')).toEqual([
      `error ${SIGNING}.ClusterSigningCertFile: "/leaf.crt" contains a certificate that is not a CA certificate`,
    ]);
  });

  it('must contain one certificate', async () => {
    expect(await signing('/two.crt', '/ca.key')).toEqual([
      `error ${SIGNING}.ClusterSigningCertFile: "/two.crt" contains 2 certificates; a signing certificate must be the only one`,
    ]);
  });

  it('must be valid at the time', async () => {
    expect(await signing('/old.crt', '/old.key')).toEqual([
      `warning ${SIGNING}.ClusterSigningCertFile: "/old.crt" contains a certificate that expired on 2025-06-01T00:00:00.000Z`,
    ]);
    expect(await signing('/early.crt', '/early.key')).toEqual([
      `warning ${SIGNING}.ClusterSigningCertFile: "/early.crt" contains a certificate that is not valid before 2026-06-01T23:55:00.000Z`,
    ]);
  });

  it.each(['NodeAgentServing', 'NodeAgentClient', 'ClusterAPIServerClient', 'LegacyUnknown'])('is so of the signer %s', async (signer) => {
    const field = `${signer}SignerConfiguration`;
    expect(await found(`${SIGNING}: {${field}: {CertFile: /ca.crt, KeyFile: /old.key}}`)).toEqual([
      `error ${SIGNING}.${field}.KeyFile: "/old.key" does not match the certificate "/ca.crt"`,
    ]);
    expect(await found(`${SIGNING}: {${field}: {CertFile: /ca.crt, KeyFile: /ca.key}}`)).toEqual([]);
  });

  it('are checked as far as they can be read', async () => {
    expect(await signing('/missing', '/ca.key')).toHaveLength(1);
    expect(await signing('/broken.crt', '/empty')).toHaveLength(2);
  });
});

describe('kubeconfigs', () => {
  const connection = (file: string, head = CLUSTER_HEAD) => found(`Generic: {ClientConnection: {clusterconfig: ${file}}}`, head);

  it.each([
    ['/missing', 'cannot be read: there is no such file'],
    ['/not-yaml', expect.stringMatching(/^is not valid YAML: line \d/)],
    ['/list', 'contains no object'],
    ['/empty', 'contains no object'],
    ['/other-kind', 'contains "v1 Pod", not a kubeconfig, v1 Config'],
    ['/no-lists', 'is not a kubeconfig: its clusters are not a list'],
    ['/no-current', 'names no current-context'],
    ['/no-context', 'has no context "y", which is its current-context'],
    ['/no-cluster', 'has no cluster "c", which its current-context names'],
    ['/no-user', 'has no user "u", which its current-context names'],
    ['/no-server', 'has no server in its cluster "c"'],
  ])('%s %s', async (file, message) => {
    const prefix = `error Generic.ClientConnection.clusterconfig: "${file}" `;
    const problems = await connection(file);
    expect(problems.map((problem) => problem.slice(0, prefix.length))).toEqual([prefix]);
    expect(problems.map((problem) => problem.slice(prefix.length))).toEqual([message]);
  });

  it.each(['/client', '/client.yaml'])('%s is fine, of either component', async (file) => {
    expect(await connection(file)).toEqual([]);
    expect(await connection(file, CLOUD_HEAD)).toEqual([]);
  });
});

describe('other files', () => {
  const recycler = (text: string) =>
    found(`PersistentVolumeBinderController: {VolumeConfiguration: {PersistentVolumeRecyclerConfiguration: {${text}}}}`);
  const RECYCLER = 'PersistentVolumeBinderController.VolumeConfiguration.PersistentVolumeRecyclerConfiguration';

  it.each(['PodTemplateFilePathNFS', 'PodTemplateFilePathHostPath'])('%s is a pod with a volume', async (field) => {
    expect(await recycler(`${field}: /pod`)).toEqual([]);
    expect(await recycler(`${field}: /pod-without-volume`)).toEqual([
      `error ${RECYCLER}.${field}: "/pod-without-volume" contains a pod without a volume`,
    ]);
    expect(await recycler(`${field}: /pod-list`)).toEqual([`error ${RECYCLER}.${field}: "/pod-list" contains "v1 PodList", not a v1 Pod`]);
    expect(await recycler(`${field}: /empty`)).toHaveLength(1);
  });

  it('of a cloud must exist, whatever they contain', async () => {
    expect(await found('ClusterCloudShared: {CloudProvider: {CloudConfigFile: /not-yaml}}', CLOUD_HEAD)).toEqual([]);
    expect(await found('ClusterCloudShared: {CloudProvider: {CloudConfigFile: /missing}}', CLOUD_HEAD)).toEqual([
      'error ClusterCloudShared.CloudProvider.CloudConfigFile: "/missing" cannot be read: there is no such file',
    ]);
  });
});
