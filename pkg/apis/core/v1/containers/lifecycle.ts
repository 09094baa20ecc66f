/** The rules of a container's lifecycle. */
import { forbidden, NO_CAUSES, notSupported } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Lifecycle, PodSpec } from '../types.gen.ts';
import { validateHandler } from './handlers.ts';

/** Named signals of Linux. Real-time signals are numbered relative to SIGRTMIN and SIGRTMAX. */
const LINUX_SIGNALS: ReadonlySet<string> = new Set([
  ...['ABRT', 'ALRM', 'BUS', 'CHLD', 'CLD', 'CONT', 'FPE', 'HUP', 'ILL', 'INT', 'IO', 'IOT', 'KILL', 'PIPE', 'POLL', 'PROF', 'PWR'],
  ...['QUIT', 'SEGV', 'STKFLT', 'STOP', 'SYS', 'TERM', 'TRAP', 'TSTP', 'TTIN', 'TTOU', 'URG', 'USR1', 'USR2', 'VTALRM', 'WINCH'],
  ...['XCPU', 'XFSZ', 'RTMIN', 'RTMAX'],
]);
const LAST_AFTER_RTMIN = 15;
const LAST_BEFORE_RTMAX = 14;
const WINDOWS_SIGNALS = ['SIGKILL', 'SIGTERM'];

const SIGNALS_OF_LINUX: readonly string[] = [
  ...[...LINUX_SIGNALS].map((name) => `SIG${name}`),
  ...Array.from({ length: LAST_AFTER_RTMIN }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: LAST_BEFORE_RTMAX }, (_, index) => `SIGRTMAX-${index + 1}`),
].sort();

/** `path`: that of the lifecycle. */
export function validateLifecycle(
  lifecycle: Unchecked<Lifecycle> | undefined,
  path: FieldPath,
  { terminationGracePeriodSeconds, os }: Unchecked<PodSpec>,
): readonly StatusCause[] {
  if (lifecycle === undefined) return NO_CAUSES;
  const { postStart, preStop, stopSignal } = lifecycle;
  return [
    ...(postStart === undefined ? NO_CAUSES : validateHandler(postStart, path.child('postStart'), terminationGracePeriodSeconds)),
    ...(preStop === undefined ? NO_CAUSES : validateHandler(preStop, path.child('preStop'), terminationGracePeriodSeconds)),
    ...(stopSignal === undefined ? NO_CAUSES : stopSignalCauses(stopSignal, path.child('stopSignal'), os)),
  ];
}

function stopSignalCauses(signal: string, path: FieldPath, os: Unchecked<PodSpec>['os']): readonly StatusCause[] {
  if (os === undefined) return [forbidden(path, 'may not be set for containers with empty `spec.os.name`')];
  if (os.name !== 'linux' && os.name !== 'windows') return NO_CAUSES;
  const signals = os.name === 'linux' ? SIGNALS_OF_LINUX : WINDOWS_SIGNALS;
  return signals.includes(signal) ? NO_CAUSES : [notSupported(path, signal, signals)];
}
