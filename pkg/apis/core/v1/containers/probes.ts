/** The rules of a container's probes. */
import { invalidValue, NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Container, Probe } from '../types.gen.ts';
import { validateHandler } from './handlers.ts';

export const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const COUNTS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

/** `path`: that of the container. */
export function validateProbes(container: Unchecked<Container>, path: FieldPath): readonly StatusCause[] {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe === undefined && readinessProbe === undefined && startupProbe === undefined) return NO_CAUSES;
  return [
    ...restartingProbeCauses(livenessProbe, path.child('livenessProbe')),
    ...readinessCauses(readinessProbe, path.child('readinessProbe')),
    ...restartingProbeCauses(startupProbe, path.child('startupProbe')),
  ];
}

/** A probe whose failure restarts the container; its successThreshold must be 1. */
function restartingProbeCauses(probe: Unchecked<Probe> | undefined, path: FieldPath): readonly StatusCause[] {
  if (probe === undefined) return NO_CAUSES;
  const causes = probeCauses(probe, path);
  const { successThreshold = 1 } = probe;
  return successThreshold === 1 ? causes : [...causes, invalidValue(path.child('successThreshold'), successThreshold, 'must be 1')];
}

function readinessCauses(probe: Unchecked<Probe> | undefined, path: FieldPath): readonly StatusCause[] {
  if (probe === undefined) return NO_CAUSES;
  const causes = probeCauses(probe, path);
  const { terminationGracePeriodSeconds: seconds } = probe;
  if (seconds === undefined) return causes;
  return [...causes, invalidValue(path.child('terminationGracePeriodSeconds'), seconds, 'must not be set for readinessProbes')];
}

function probeCauses(probe: Unchecked<Probe>, path: FieldPath): readonly StatusCause[] {
  const causes = [...validateHandler(probe, path, undefined)];
  for (const field of COUNTS) {
    const count = probe[field] ?? 0;
    if (count < 0) causes.push(invalidValue(path.child(field), count, 'must be greater than or equal to 0'));
  }
  const { terminationGracePeriodSeconds: seconds } = probe;
  if (seconds !== undefined && seconds <= 0) {
    causes.push(invalidValue(path.child('terminationGracePeriodSeconds'), seconds, 'must be greater than 0'));
  }
  return causes;
}
