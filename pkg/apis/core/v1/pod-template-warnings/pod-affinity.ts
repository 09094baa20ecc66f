import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { Affinity, PodAffinity, PodAntiAffinity } from '../types.gen.ts';
import { warning } from './warning.ts';

const MATCHES_NOTHING = 'a null labelSelector results in matching no pod';

/** Warns of terms that match no pod. `path`: that of the affinity. */
export function* warnOfPodAffinity(affinity: Unchecked<Affinity> | undefined, path: FieldPath): Generator<string> {
  if (affinity?.podAffinity !== undefined) yield* warnOfTerms(affinity.podAffinity, path.child('podAffinity'));
  if (affinity?.podAntiAffinity !== undefined) yield* warnOfTerms(affinity.podAntiAffinity, path.child('podAntiAffinity'));
}

function* warnOfTerms(terms: Unchecked<PodAffinity> | Unchecked<PodAntiAffinity>, path: FieldPath): Generator<string> {
  const { requiredDuringSchedulingIgnoredDuringExecution: required = [], preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } =
    terms;
  for (const [index, { labelSelector }] of required.entries()) {
    if (labelSelector !== undefined) continue;
    yield warning(path.child('requiredDuringSchedulingIgnoredDuringExecution').index(index).child('labelSelector'), MATCHES_NOTHING);
  }
  for (const [index, { podAffinityTerm }] of preferred.entries()) {
    if (podAffinityTerm?.labelSelector !== undefined) continue;
    const at = path.child('preferredDuringSchedulingIgnoredDuringExecution').index(index);
    yield warning(at.child('podAffinityTerm', 'labelSelector'), MATCHES_NOTHING);
  }
}
