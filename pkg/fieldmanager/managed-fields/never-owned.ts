/** What no manager can own: what an object is called, and what the server alone decides. */
import { FieldSet } from '../fields/field-set.ts';
import { fieldElement } from '../fields/path-element.ts';

const METADATA = fieldElement('metadata');

export const NEVER_OWNED: FieldSet = FieldSet.of(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [METADATA],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => [METADATA, fieldElement(name)],
  ),
);

/** `set` without what no manager can own. Labels, annotations, finalizers and the like stay. */
export const withoutNeverOwned = (set: FieldSet): FieldSet => set.difference(NEVER_OWNED);
