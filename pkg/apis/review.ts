/**
 * What a review is: a question that a client POSTs and that is answered at once. Nothing is stored, so that a review
 * has no strategy, no table and no verb but create. One folder per review, `pkg/apis/<group>/<version>/<resource>/`, as
 * for kinds; `reviews.gen.ts` lists them, and nothing outside that folder asks which review it has in hand.
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
   * The answer: what of it is not absent, besides kind and apiVersion. The question is decoded by the shape and free of
   * type errors; in its metadata, what only the server says is gone, and `managedFields` names who sent what. Throws
   * StatusError for what is no question.
   */
  readonly answer: (question: KubernetesObject, requester: Requester) => ReviewAnswer | Promise<ReviewAnswer>;
}

export type ReviewAnswer = Omit<KubernetesObject, 'kind' | 'apiVersion'>;

/** Who sent a question, and what the server can say of them. */
export interface Requester {
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** When the question came: milliseconds since the epoch. */
  readonly nowMs: number;
  /** Whether they may. */
  readonly decide: (access: RequestedAccess) => Promise<AccessAnswer>;
  /** What they may do in a namespace. */
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
  /** There may be more. */
  readonly incomplete: boolean;
  /** Why, for people. */
  readonly evaluationError?: string;
}

/** The assertion holds because a review gets only objects of its kind, decoded by its shape. */
export const defineReview = <T>(review: TypedReview<T>): Review => review as unknown as Review;

/** `Review` with the type of its kind. */
export interface TypedReview<T> extends Omit<Review, 'answer'> {
  readonly answer: (question: Unchecked<T>, requester: Requester) => TypedAnswer<T> | Promise<TypedAnswer<T>>;
}

export type TypedAnswer<T> = Omit<Unchecked<T>, 'kind' | 'apiVersion'>;
