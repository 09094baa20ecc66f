/** The rules of container ports, and of their conflicts on the node. */
import { checkPortName } from '../../../../apimachinery/meta/names.ts';
import {
  causesOfEach,
  causesOfElements,
  duplicateValue,
  invalidValue,
  NO_CAUSES,
  required,
} from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { IntOrString } from '../../../scalars.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import type { Container, ContainerPort } from '../types.gen.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MAX_PORT = 65535;

const portNumberCauses = (port: number, path: FieldPath): readonly StatusCause[] =>
  port >= 1 && port <= MAX_PORT ? NO_CAUSES : [invalidValue(path, port, `must be between 1 and ${MAX_PORT}, inclusive`)];

/** A port number, or the name of a port, which need not exist. Absent is 0. */
export const portCauses = (port: IntOrString | undefined, path: FieldPath): readonly StatusCause[] =>
  typeof port === 'string' ? nameCauses(port, path, checkPortName) : portNumberCauses(port ?? 0, path);

/** The ports of one container: each individually, and the uniqueness of names. */
export function validatePorts(ports: readonly Unchecked<ContainerPort>[] | undefined, path: FieldPath): readonly StatusCause[] {
  if (ports === undefined) return NO_CAUSES;
  const names = new Set<string>();
  return causesOfElements(path, ports, ({ name = '', containerPort = 0, hostPort = 0, protocol }, at) => {
    const wrongName = name === '' ? NO_CAUSES : portNameCauses(name, at, names);
    return [
      ...wrongName,
      ...(containerPort === 0 ? [required(at.child('containerPort'))] : portNumberCauses(containerPort, at.child('containerPort'))),
      ...(hostPort === 0 ? NO_CAUSES : portNumberCauses(hostPort, at.child('hostPort'))),
      ...choiceCauses(protocol || undefined, at, 'protocol', PROTOCOLS),
    ];
  });
}

function portNameCauses(name: string, path: FieldPath, names: Set<string>): readonly StatusCause[] {
  const wrong = nameCauses(name, path.child('name'), checkPortName);
  if (wrong.length > 0) return wrong;
  if (names.has(name)) return [duplicateValue(path.child('name'), name)];
  names.add(name);
  return NO_CAUSES;
}

/** Host ports must be unique among containers that run at the same time. `path`: that of their list. */
export function validateHostPorts(containers: readonly Unchecked<Container>[], path: FieldPath): readonly StatusCause[] {
  const taken = new Set<string>();
  return causesOfElements(path, containers, ({ ports }, at) => hostPortCauses(ports, at.child('ports'), taken));
}

/** The same for containers that run one after another. As in Kubernetes, every cause has index 0. */
export const validateHostPortsOfEach = (containers: readonly Unchecked<Container>[], path: FieldPath): readonly StatusCause[] =>
  causesOfEach(containers, ({ ports }) => hostPortCauses(ports, path.index(0).child('ports'), new Set()));

function hostPortCauses(
  ports: readonly Unchecked<ContainerPort>[] | undefined,
  path: FieldPath,
  taken: Set<string>,
): readonly StatusCause[] {
  if (ports === undefined) return NO_CAUSES;
  return causesOfEach(ports, ({ hostPort = 0, hostIP = '', protocol = '' }, index) => {
    if (hostPort === 0) return NO_CAUSES;
    const key = `${protocol}/${hostIP}/${hostPort}`;
    if (taken.has(key)) return [duplicateValue(path.index(index).child('hostPort'), key)];
    taken.add(key);
    return NO_CAUSES;
  });
}

/** In the host network, the host port must equal the container port. */
export const validatePortsOfHostNetwork = (containers: readonly Unchecked<Container>[], path: FieldPath): readonly StatusCause[] =>
  causesOfElements(path, containers, ({ ports }, ofContainer) =>
    causesOfElements(ofContainer.child('ports'), ports, ({ hostPort = 0, containerPort = 0 }, at) =>
      hostPort === 0 || hostPort === containerPort
        ? NO_CAUSES
        : [invalidValue(at.child('hostPort'), hostPort, 'must match `containerPort` when `hostNetwork` is true')],
    ),
  );
