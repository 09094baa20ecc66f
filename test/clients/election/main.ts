/**
 * The judge of candidates, which are programs in any language: it starts, stops and kills them, and watches the lock.
 * `main.ts [--config-map] COMMAND…`, where COMMAND with a name behind it is a candidate.
 */
import { KubeConfig } from '@kubernetes/client-node';
import { startCandidate } from './candidate.ts';
import { hold } from './election.ts';
import { openRecords } from './events.ts';
import { followConfigMap, followLease } from './lock.ts';

const [first, ...rest] = process.argv.slice(2);
const inConfigMap = first === '--config-map';
const command = inConfigMap || first === undefined ? rest : [first, ...rest];

const config = new KubeConfig();
config.loadFromDefault(); // KUBECONFIG
const namespace = process.env['COXSWAIN_NAMESPACE'] ?? 'default';

let last = 'the start';
try {
  const lock = await (inConfigMap ? followConfigMap : followLease)(config, namespace);
  const records = openRecords(config, namespace);
  for await (const step of hold({ lock, start: (name) => startCandidate(command, name), records })) {
    console.log(`ok ${step}`);
    last = step;
  }
  await lock.close();
  process.exit();
} catch (error) {
  console.error(`failed after ${last}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
}
