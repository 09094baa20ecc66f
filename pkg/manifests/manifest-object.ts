/** An object of a file, and what is wrong with a file. */
export interface ManifestObject {
  readonly file: string;
  /** Of the first field of its document. */
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty: none is named. */
  readonly namespace: string;
  readonly name: string;
  readonly json: Buffer;
}

/** Something that cannot be applied. */
export interface ManifestProblem {
  readonly file: string;
  readonly line?: number;
  /** As in `ClusterRole reader`. */
  readonly object?: string;
  readonly reason: string;
}

export const displayName = ({ kind, namespace, name }: Pick<ManifestObject, 'kind' | 'namespace' | 'name'>): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
