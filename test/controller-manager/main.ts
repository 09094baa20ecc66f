/**
 * `make test-controllers`: Kubernetes' own CronJob controller, of kube-controller-manager, works on the built program,
 * on both stores. The last line is the count; the code is 1 when something was not done.
 */
import { buildReference, referenceVersion } from '../support/reference.ts';
import { BACKENDS } from '../support/test-store.ts';
import { play, type Outcome } from './play.ts';

const begun = performance.now();
const say = (line: string): void =>
  void process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${line}\n`);

/** At least two, so that something is made twice. */
function parseMinutes(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 2) throw new Error(`MINUTES is a number from 2, not ${text}`);
  return Number(text);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  const minutes = parseMinutes(process.env['MINUTES'] ?? '3');
  say(`kube-controller-manager ${referenceVersion()}, MINUTES=${minutes}`);
  const program = process.env['KUBE_CONTROLLER_MANAGER'] ?? (await buildReference('kube-controller-manager'));
  const outcomes: readonly Outcome[] = await Promise.all(BACKENDS.map((backend) => play({ backend, program, minutes, say })));
  const total = (of: keyof Outcome): number => outcomes.reduce((sum, outcome) => sum + outcome[of], 0);
  process.stdout.write(`${total('passed')} passed, ${total('failed')} failed\n`);
  process.exitCode = total('failed') === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`test-controllers: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
