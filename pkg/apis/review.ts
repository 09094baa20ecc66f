/**
 * A review is a question that a client POSTs and the server answers immediately. Nothing is stored, so it has no
 * strategy, no table and only the verb create. It is a resource of its own, or a subresource of a kind's objects. Like
 * kinds, each review has a folder, `pkg/apis/<group>/<version>/<resource>/`, and is listed in `reviews.gen.ts`; code
 * outside that folder must not test for specific reviews.
 */
import type { AccessSelectors } from '../apimachinery/selectors/access-selectors.ts';
import type { Unchecked } from './define-strategy.ts';
import type { KubernetesObject, ResourceDefinition } from './kind.ts';
import type { ObjectShape } from './type-shape.ts';

/** Names. */
export interface ReviewDefinition extends Pick<ResourceDefinition, 'group' | 'version' | 'apiVersion' | 'kind' | 'resource' | 'singular'> {
  /** It is posted to a namespace. */
  readonly namespaced?: true;
  /** The review is posted to this subresource of an object. */
  readonly parent?: ReviewParent;
}

export interface ReviewParent extends Pick<ResourceDefinition, 'group' | 'version' | 'resource'> {
  readonly subresource: string;
}

export interface Review {
  readonly definition: ReviewDefinition;
  readonly shape: ObjectShape;
  /** Fills in absent fields, before the question is answered. */
  readonly applyDefaults?: (question: KubernetesObject) => KubernetesObject;
  /**
   * Returns the answer without kind and apiVersion. The question was decoded by the shape and has no type errors. In
   * its metadata, fields that only the server may set are removed (with a parent, namespace and uid stay, to be
   * compared), and `managedFields` is filled in. Throws StatusError for an invalid question.
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
  /** Decides whether somebody else has it. */
  readonly decideFor: (user: Requester['user'], access: RequestedAccess) => Promise<AccessAnswer>;
  /** The sender's rules in a namespace. */
  readonly rulesIn: (namespace: string) => Promise<KnownRules>;
  /** The object that a review with a parent was posted to. Empty for others. */
  readonly target: { readonly namespace: string; readonly name: string };
  readonly tokens: TokenService;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Bearer tokens: who they belong to, and new ones for ServiceAccounts. */
export interface TokenService {
  /** The audiences of this server, which are those of tokens and reviews that name none. */
  readonly audiences: readonly string[];
  readonly review: (token: string, audiences: readonly string[]) => Promise<TokenVerdict>;
  /** The uid of a current object. Throws NotFound. */
  readonly uidOf: (resource: TokenObjectResource, name: Requester['target'], signal: AbortSignal) => Promise<string>;
  /** Longest time that a token may be valid. Absent: no limit. */
  readonly maxExpirationSeconds: number | undefined;
  readonly issue: (claims: TokenClaims) => Promise<string>;
}

export type TokenVerdict =
  | { readonly user: Requester['user']; readonly audiences: readonly string[] }
  /** Absent: the token is not known. */
  | { readonly error?: string };

/** What a token may be bound to, besides its ServiceAccount. */
export type TokenObjectResource = 'serviceaccounts' | 'secrets' | 'pods' | 'nodes';

export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: NamedUid;
  readonly boundTo: ({ readonly as: 'secret' | 'pod' | 'node' } & NamedUid) | undefined;
  readonly audiences: readonly string[];
  readonly nowMs: number;
  readonly expirationSeconds: number;
}

export interface NamedUid {
  readonly name: string;
  readonly uid: string;
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
      /** Absent: none. */
      readonly selectors?: () => AccessSelectors;
    }
  | { readonly isResource: false; readonly verb: string; readonly path: string };

export interface AccessAnswer {
  readonly decision: 'allow' | 'deny' | 'noOpinion';
  readonly reason?: string;
  /** Why it may be wrong. */
  readonly error?: string;
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
export interface TypedReview<T> extends Omit<Review, 'answer' | 'applyDefaults'> {
  readonly applyDefaults?: (question: Unchecked<T>) => Unchecked<T>;
  readonly answer: (question: Unchecked<T>, requester: Requester) => TypedAnswer<T> | Promise<TypedAnswer<T>>;
}

export type TypedAnswer<T> = Omit<Unchecked<T>, 'kind' | 'apiVersion'>;
