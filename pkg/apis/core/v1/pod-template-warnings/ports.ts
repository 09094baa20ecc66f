/** Warnings for conflicting ports of a pod's containers. */
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { eachContainer } from '../pod-template/each-container.ts';
import type { ContainerPort, PodSpec } from '../types.gen.ts';
import { warning } from './warning.ts';

type Port = Unchecked<ContainerPort>;
type PlacedPort = readonly [port: Port, at: FieldPath];

/** Limit of comparisons per port with the same number and protocol: a body can contain 50,000 of them. */
const MAX_COMPARED = 100;

/** `path` is that of the pod's spec. */
export function* warnOfPorts(spec: Unchecked<PodSpec>, path: FieldPath): Generator<string> {
  const known = new Map<string, PlacedPort[]>();
  for (const [port, at] of eachPort(spec, path)) {
    if ((port.hostIP ?? '') !== '' && (port.hostPort ?? 0) === 0) yield warning(at, `hostIP set without hostPort: ${goText(port)}`);
    const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
    const others = known.get(key);
    if (others === undefined) known.set(key, [[port, at]]);
    else {
      for (const [other, otherAt] of others) {
        const relation = relationOf(port, other);
        if (relation !== undefined) yield warning(at, `${relation} port definition with ${otherAt.toString()}`);
      }
      if (others.length < MAX_COMPARED) others.push([port, at]);
    }
  }
}

/** Warns of duplicate port names: lookups by name find the first port. */
export function* warnOfPortNames(spec: Unchecked<PodSpec>, path: FieldPath): Generator<string> {
  const known = new Map<string, FieldPath>();
  for (const [{ name = '' }, at] of eachPort(spec, path)) {
    if (name === '') continue;
    const first = known.get(name);
    if (first === undefined) known.set(name, at);
    else {
      yield warning(
        at,
        `duplicate port name ${JSON.stringify(name)} with ${first.toString()}, services and probes that select ports by name will use ${first.toString()}`,
      );
    }
  }
}

function* eachPort(spec: Unchecked<PodSpec>, path: FieldPath): Generator<PlacedPort> {
  for (const [{ ports = [] }, at] of eachContainer(spec, path)) {
    for (const [index, port] of ports.entries()) yield [port, at.child('ports').index(index)];
  }
}

function relationOf({ hostIP = '', hostPort = 0 }: Port, { hostIP: otherIP = '', hostPort: otherPort = 0 }: Port): string | undefined {
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  // Ambiguous: a port without an address may mean all addresses, or only those not named elsewhere.
  return hostPort === otherPort && (hostIP === '' || otherIP === '') ? 'dangerously ambiguous' : undefined;
}

/** The port as Go prints the struct. */
const goText = ({ name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' }: Port): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
