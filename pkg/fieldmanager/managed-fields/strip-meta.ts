/** Fields that no manager can own: identity, and what only the server sets. See `stripmeta.go` in Kubernetes. */
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement } from '../fieldpath/path-element.ts';

const METADATA = fieldElement('metadata');

export const STRIPPED_FIELDS: FieldSet = FieldSet.of(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [METADATA],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => [METADATA, fieldElement(name)],
  ),
);

/** `set` without fields that no manager can own. Labels, annotations, finalizers and similar metadata stay. */
export const stripMeta = (set: FieldSet): FieldSet => set.difference(STRIPPED_FIELDS);
