import assert from 'node:assert/strict';
import { CHART, RELEASE, type Story } from './helm.ts';

/** With a table for each kind of the release. */
export async function status({ helm, major }: Story): Promise<void> {
  const told = await helm.told('status', RELEASE, '--output', 'json');
  assert.equal((JSON.parse(told) as { readonly info: { readonly status: string } }).info.status, 'deployed');
  const tables = (await helm.told('status', RELEASE, ...(major === 3 ? ['--show-resources'] : []))).replaceAll(/ +/g, ' ');
  assert.ok(
    tables.includes('==> v1/CronJob\nNAME SCHEDULE TIMEZONE SUSPEND ACTIVE LAST SCHEDULE AGE\nnightly 15 2 * * * <none> False 0 <none> '),
  );
  assert.ok(tables.includes('==> v1/Job\nNAME STATUS COMPLETIONS DURATION AGE\nnightly-first-report Complete 1/1 '));
  assert.ok(tables.includes('==> v1/ConfigMap\nNAME DATA AGE\nnightly-settings 1 '));
}

export async function list({ helm, namespace }: Story): Promise<void> {
  const all = async (...flags: readonly string[]) =>
    (JSON.parse(await helm.told('list', '--output', 'json', ...flags)) as readonly Readonly<Record<string, string>>[]).map(
      ({ name, namespace: where, revision, status: state, chart }) => [name, where, revision, state, chart],
    );
  const ours = [RELEASE, namespace, '1', 'deployed', 'nightly-1.0.0'];
  assert.deepEqual(await all(), [ours]);
  assert.deepEqual(await all('--filter', '^weekly'), []);
  assert.deepEqual(await all('--selector', 'name=nightly,version=1'), [ours]);
  assert.ok((await all('--all-namespaces')).some(([name, where]) => name === RELEASE && where === namespace));
}

export async function get({ helm, core, namespace }: Story): Promise<void> {
  const manifest = await helm.told('get', 'manifest', RELEASE);
  const kinds = [...manifest.matchAll(/^kind: (\S+)$/gm)].map(([, kind]) => kind);
  assert.deepEqual(kinds.sort(), ['ConfigMap', 'CronJob', 'Job', 'PodDisruptionBudget', 'Secret', 'ServiceAccount']);
  const { data } = await core.readNamespacedSecret({ namespace, name: 'nightly-token' });
  assert.ok(manifest.includes(`token: ${data?.['token'] ?? ''}`));
  assert.match(await helm.told('get', 'hooks', RELEASE), /name: nightly-migrate/);
  assert.match(await helm.told('get', 'notes', RELEASE), /nightly reports in EUR\./);
  assert.match(await helm.told('get', 'values', RELEASE, '--all'), /currency: EUR/);
  assert.match(await helm.told('get', 'metadata', RELEASE), /STATUS: deployed/);
}

export async function nameInUse({ helm }: Story): Promise<void> {
  assert.match(
    await helm.refused('install', RELEASE, CHART),
    /cannot re-use a name that is still in use|cannot reuse a name that is still in use/,
  );
}
