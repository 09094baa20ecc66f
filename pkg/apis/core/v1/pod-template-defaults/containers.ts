import type { Unchecked } from '../../../define-strategy.ts';
import { ifGiven, orDefault, withElements, withMembers } from '../../../with-members.ts';
import type { Container, ContainerPort, EnvVar, EnvVarSource } from '../types.gen.ts';
import { withFieldRefDefaults } from './field-references.ts';
import { defaultPullPolicy } from './image-pull-policy.ts';
import { withLifecycleDefaults, withProbeDefaults } from './probes.ts';
import { withRoundedRequirements } from './resource-amounts.ts';

/** For all kinds of containers. Absent `resources` need no default, because the type's shape writes `{}`. */
export const withContainerDefaults = <T extends Unchecked<Container>>(container: T): T =>
  withMembers<T, Unchecked<Container>>(container, {
    ports: withElements(container.ports, withPortDefaults),
    env: withElements(container.env, withVariableDefaults),
    resources: ifGiven(container.resources, withRoundedRequirements),
    livenessProbe: ifGiven(container.livenessProbe, withProbeDefaults),
    readinessProbe: ifGiven(container.readinessProbe, withProbeDefaults),
    startupProbe: ifGiven(container.startupProbe, withProbeDefaults),
    lifecycle: ifGiven(container.lifecycle, withLifecycleDefaults),
    terminationMessagePath: orDefault(container.terminationMessagePath, '/dev/termination-log'),
    terminationMessagePolicy: orDefault(container.terminationMessagePolicy, 'File'),
    imagePullPolicy: container.imagePullPolicy || defaultPullPolicy(container.image),
  });

const withPortDefaults = (port: Unchecked<ContainerPort>): Unchecked<ContainerPort> =>
  withMembers(port, { protocol: orDefault(port.protocol, 'TCP') });

const withVariableDefaults = (variable: Unchecked<EnvVar>): Unchecked<EnvVar> =>
  variable.valueFrom === undefined ? variable : withMembers(variable, { valueFrom: withSourceDefaults(variable.valueFrom) });

const withSourceDefaults = (source: Unchecked<EnvVarSource>): Unchecked<EnvVarSource> =>
  withMembers(source, {
    fieldRef: ifGiven(source.fieldRef, withFieldRefDefaults),
    fileKeyRef: ifGiven(source.fileKeyRef, (reference) => withMembers(reference, { optional: reference.optional ?? false })),
  });
