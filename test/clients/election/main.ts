/**
 * The judge of candidates, which are programs in any language: it starts, stops and kills them, and watches the lock.
 * `main.ts [--config-map | --role] COMMAND…`, where COMMAND with a name behind it is a candidate. With `--role`
 * candidates are a ServiceAccount with a Role for the Lease, instead of the admin.
 */
import { KubeConfig } from '@kubernetes/client-node';
import { createElectionAccount } from './account.ts';
import { startCandidate } from './candidate.ts';
import { hold } from './election.ts';
import { openRecords } from './events.ts';
import { followConfigMap, followLease } from './lock.ts';

const [first, ...rest] = process.argv.slice(2);
const [inConfigMap, withRole] = [first === '--config-map', first === '--role'];
const command = inConfigMap || withRole || first === undefined ? rest : [first, ...rest];

const config = new KubeConfig();
config.loadFromDefault(); // KUBECONFIG
const namespace = process.env['COXSWAIN_NAMESPACE'] ?? 'default';

let last = 'the start';
try {
  const lock = await (inConfigMap ? followConfigMap : followLease)(config, namespace);
  const records = openRecords(config, namespace);
  const account = withRole ? await createElectionAccount(config, namespace) : undefined;
  const env = account === undefined ? process.env : { ...process.env, KUBECONFIG: account.kubeconfig };
  for await (const step of hold({ lock, start: (name) => startCandidate(command, name, env), records })) {
    console.log(`ok ${step}`);
    last = step;
  }
  await account?.remove();
  await lock.close();
  process.exit();
} catch (error) {
  console.error(`failed after ${last}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
}
