/**
 * A review is a question that a client POSTs and the server answers immediately. Nothing is stored, so it has no
 * strategy, no table and only the verb create. Like kinds, each review has a folder,
 * `pkg/apis/<group>/<version>/<resource>/`, and is listed in `reviews.gen.ts`; code outside that folder must not test
 * for specific reviews.
 */
import type { Unchecked } from './define-strategy.ts';
import type { KubernetesObject, ResourceDefinition } from './kind.ts';
import type { ObjectShape } from './type-shape.ts';

/** Names. A review is cluster-wide. */
export type ReviewDefinition = Pick<ResourceDefinition, 'group' | 'version' | 'apiVersion' | 'kind' | 'resource' | 'singular'>;

export interface Review {
  readonly definition: ReviewDefinition;
  readonly shape: ObjectShape;
  /**
   * Returns the answer without kind and apiVersion. The question was decoded by the shape and has no type errors. In
   * its metadata, fields that only the server may set are removed, and `managedFields` is filled in. Throws StatusError
   * for an invalid question.
   */
  readonly answer: (question: KubernetesObject, requester: Requester) => ReviewAnswer | Promise<ReviewAnswer>;
}

export type ReviewAnswer = Omit<KubernetesObject, 'kind' | 'apiVersion'>;

/** The sender of a question, with functions that evaluate the sender's permissions. */
export interface Requester {
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** The arrival of the question in milliseconds since the epoch. */
  readonly nowMs: number;
  /** Decides whether the sender has this access. */
  readonly decide: (access: RequestedAccess) => Promise<AccessAnswer>;
  /** The sender's rules in a namespace. */
  readonly rulesIn: (namespace: string) => Promise<KnownRules>;
}

export type RequestedAccess =
  | {
      readonly isResource: true;
      readonly verb: string;
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly isResource: false; readonly verb: string; readonly path: string };

export interface AccessAnswer {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason?: string;
}

export interface KnownRules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly { readonly verbs: readonly string[]; readonly nonResourceURLs: readonly string[] }[];
  /** There may be more rules. */
  readonly incomplete: boolean;
  /** The reason, for users. */
  readonly evaluationError?: string;
}

/** The assertion is safe because a review only gets objects of its kind, decoded by its shape. */
export const defineReview = <T>(review: TypedReview<T>): Review => review as unknown as Review;

/** `Review` with the type of its kind. */
export interface TypedReview<T> extends Omit<Review, 'answer'> {
  readonly answer: (question: Unchecked<T>, requester: Requester) => TypedAnswer<T> | Promise<TypedAnswer<T>>;
}

export type TypedAnswer<T> = Omit<Unchecked<T>, 'kind' | 'apiVersion'>;
