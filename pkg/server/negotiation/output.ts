/** Kubernetes' own representation of objects: a message in an envelope (`pkg/schema/protobuf/envelope.ts`). */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The representation that was agreed on for an answer. */
export interface Output {
  readonly mediaType: 'application/json' | 'application/yaml' | typeof PROTOBUF;
  /** Another kind than the stored one, of `meta.k8s.io`. */
  readonly as?: { readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'; readonly version: 'v1' | 'v1beta1' };
  /** Indented, for people. JSON only; never a watch. */
  readonly pretty: boolean;
}

export const PLAIN_JSON: Output = { mediaType: 'application/json', pretty: false };
export const PRETTY_JSON: Output = { mediaType: 'application/json', pretty: true };

/**
 * The encode step writes such an answer anew from compact JSON, and compresses it: a handler answers it as compact JSON
 * without a Content-Encoding. In protobuf it so writes what is no object of a resource, such as a Status; those come as
 * protobuf.
 */
export const isRewritten = ({ mediaType, pretty }: Output): boolean => pretty || mediaType === 'application/yaml';
