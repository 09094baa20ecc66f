/** Kubernetes' protobuf representation: a message in an envelope (`pkg/schema/protobuf/envelope.ts`). */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The negotiated representation of a response. */
export interface Output {
  readonly mediaType: 'application/json' | 'application/yaml' | typeof PROTOBUF;
  /** A kind of `meta.k8s.io` instead of the stored one. */
  readonly as?: { readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'; readonly version: 'v1' | 'v1beta1' };
  /** Indented JSON; never for a watch. */
  readonly pretty: boolean;
}

export const PLAIN_JSON: Output = { mediaType: 'application/json', pretty: false };
export const PRETTY_JSON: Output = { mediaType: 'application/json', pretty: true };

/**
 * The encode step converts such a response from compact JSON and compresses it. It also converts a Status and the like
 * to protobuf; objects of resources are already protobuf.
 */
export const isRewritten = ({ mediaType, pretty }: Output): boolean => pretty || mediaType === 'application/yaml';
