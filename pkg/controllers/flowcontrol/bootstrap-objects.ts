/** The mandatory and the suggested objects of flow control, and when a stored one becomes them again. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { createSuggested, type FlowControlSpecs, MANDATORY } from '../../apis/flowcontrol/v1/bootstrap.ts';
import type { KubernetesObject } from '../../apis/kind.ts';

/** Kubernetes' own key, whatever the group suffix: `true`, the server keeps the spec; `false`, its owner does. */
export const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

export interface BootstrapObject {
  readonly resource: 'flowschemas' | 'prioritylevelconfigurations';
  readonly isMandatory: boolean;
  readonly object: KubernetesObject & { readonly spec: JsonObject };
}

/** Priority levels come first, so that no FlowSchema names one that does not exist. */
export function createBootstrapObjects(groupSuffix: string): readonly BootstrapObject[] {
  const apiVersion = `flowcontrol.apiserver.${groupSuffix}/v1`;
  const ofSpecs = ({ priorityLevels, flowSchemas }: FlowControlSpecs, isMandatory: boolean) => {
    const objectsOf = (
      resource: BootstrapObject['resource'],
      kind: string,
      specs: Readonly<Record<string, object>>,
    ): readonly BootstrapObject[] =>
      Object.entries(specs).map(([name, spec]) => ({
        resource,
        isMandatory,
        // The assertion is safe: a spec is JSON.
        object: { kind, apiVersion, metadata: { name, annotations: { [AUTO_UPDATE]: 'true' } }, spec: spec as JsonObject },
      }));
    return {
      levels: objectsOf('prioritylevelconfigurations', 'PriorityLevelConfiguration', priorityLevels),
      schemas: objectsOf('flowschemas', 'FlowSchema', flowSchemas),
    };
  };
  const mandatory = ofSpecs(MANDATORY, true);
  const suggested = ofSpecs(createSuggested(groupSuffix), false);
  return [...mandatory.levels, ...suggested.levels, ...mandatory.schemas, ...suggested.schemas];
}

/**
 * What the stored object is to become; undefined: it may stay. Without a valid annotation, one that nobody has changed
 * is the server's.
 */
export function revise(stored: KubernetesObject, { object, isMandatory }: BootstrapObject): KubernetesObject | undefined {
  const { annotations = {}, generation } = stored.metadata;
  const annotated = parseBool(annotations[AUTO_UPDATE]);
  const isKept = isMandatory || (annotated ?? Number(generation) === 1);
  const spec = isKept ? expectedSpec(stored['spec'], object) : stored['spec'];
  const isSame = isDeepStrictEqual(spec, stored['spec']);
  if (isSame && annotated === isKept) return undefined;
  return {
    ...stored,
    metadata: { ...stored.metadata, annotations: { ...annotations, [AUTO_UPDATE]: String(isKept) } },
    ...(isSame ? {} : { spec }),
  };
}

/** What `exempt` lends is its owner's. */
function expectedSpec(stored: unknown, { metadata: { name }, spec }: BootstrapObject['object']): JsonObject {
  const own = (stored as JsonObject | undefined)?.['exempt'];
  return name === 'exempt' && own !== undefined && 'exempt' in spec ? { ...spec, exempt: own } : spec;
}

/** As Go reads it. */
export function parseBool(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : undefined;
}
