/** The rules of handlers in probes and lifecycle hooks: exec, httpGet, tcpSocket, grpc, sleep. */
import { checkHttpHeaderName } from '../../../../apimachinery/meta/names.ts';
import { causesOfEach, forbidden, invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Int64 } from '../../../scalars.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { HTTPGetAction, LifecycleHandler, Probe, SleepAction } from '../types.gen.ts';
import { portCauses } from './ports.ts';

const SCHEMES = ['HTTP', 'HTTPS'];
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** Probes have no `sleep`, lifecycle handlers no `grpc`. */
type ProbeHandler = Pick<Unchecked<Probe>, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & Pick<Unchecked<LifecycleHandler>, 'sleep'>;

/** Exactly one handler must be set. `gracePeriod`: that of the pod in seconds; undefined if unknown. */
export function validateHandler(handler: ProbeHandler, path: FieldPath, gracePeriod: Int64 | undefined): readonly StatusCause[] {
  const [first, ...others] = HANDLERS.filter((name) => handler[name] !== undefined);
  if (first === undefined) return [required(path, 'must specify a handler type')];
  const causes = handlerCauses(handler, path.child(first), gracePeriod);
  if (others.length === 0) return causes;
  return [...causes, ...others.map((name) => forbidden(path.child(name), 'may not specify more than 1 handler type'))];
}

/** Causes of the first handler that is set. */
function handlerCauses({ exec, httpGet, tcpSocket, grpc, sleep }: ProbeHandler, path: FieldPath, gracePeriod: Int64 | undefined) {
  if (exec !== undefined) return (exec.command ?? []).length === 0 ? [required(path.child('command'))] : NO_CAUSES;
  if (httpGet !== undefined) return httpGetCauses(httpGet, path);
  if (tcpSocket !== undefined) return portCauses(tcpSocket.port, path.child('port'));
  if (grpc !== undefined) return portCauses(grpc.port, path.child('port'));
  return sleep === undefined ? NO_CAUSES : sleepCauses(sleep, path, gracePeriod);
}

function httpGetCauses(
  { path: resource = '', port, scheme, httpHeaders }: Unchecked<HTTPGetAction>,
  path: FieldPath,
): readonly StatusCause[] {
  return [
    ...(resource === '' ? [required(path.child('path'))] : NO_CAUSES),
    ...portCauses(port, path.child('port')),
    ...choiceCauses(scheme || undefined, path, 'scheme', SCHEMES),
    ...(httpHeaders === undefined
      ? NO_CAUSES
      : causesOfEach(httpHeaders, ({ name = '' }) => nameCauses(name, path.child('httpHeaders'), checkHttpHeaderName))),
  ];
}

function sleepCauses({ seconds = 0 }: Unchecked<SleepAction>, path: FieldPath, gracePeriod: Int64 | undefined): readonly StatusCause[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return NO_CAUSES;
  return [invalidValue(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`)];
}
