import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { eachContainer } from '../pod-template/each-container.ts';
import type { EnvVar, PodSpec } from '../types.gen.ts';
import { warnOfFractions } from './fractions.ts';
import { warning } from './warning.ts';

/** Warns of resources and variables of containers. `path`: that of the pod's spec. */
export function* warnOfContainers(spec: Unchecked<PodSpec>, path: FieldPath): Generator<string> {
  for (const [{ resources, env }, at] of eachContainer(spec, path)) {
    for (const name of resources === undefined ? [] : ['memory', 'ephemeral-storage']) {
      yield* warnOfFractions(resources?.limits, [name], at.child('resources', 'limits'));
      yield* warnOfFractions(resources?.requests, [name], at.child('resources', 'requests'));
    }
    if (env !== undefined && env.length > 1) yield* warnOfHiddenVariables(env, at.child('env'));
  }
}

/** Warns of a repeated variable that does not refer to its previous definition. */
function* warnOfHiddenVariables(env: readonly Unchecked<EnvVar>[], path: FieldPath): Generator<string> {
  const seen = new Set<string>();
  for (const [index, { name = '', value = '', valueFrom }] of env.entries()) {
    if (seen.has(name)) {
      const reference = `$(${name})`;
      if (valueFrom !== undefined || value === reference || !value.includes(reference)) {
        yield warning(path.index(index), `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`);
      }
    }
    seen.add(name);
  }
}
