/**
 * A kind is data and a small strategy. Each has a folder, `pkg/apis/<group>/<version>/<resource>/`, and is listed in
 * `kinds.gen.ts`. Code outside that folder must not test for specific kinds: differences are members of `Kind` or
 * `Strategy`.
 */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { CheckedMetadata } from '../apimachinery/meta/object-meta.ts';
import type { NameCheck } from '../apimachinery/meta/names.ts';
import type { StatusCause } from '../apimachinery/status/status-error.ts';
import type { RuleContext } from './rule-context.ts';
import type { ObjectShape } from './type-shape.ts';

/** ObjectMeta as generic code sees it. */
export interface ObjectMeta extends JsonObject, CheckedMetadata {
  readonly resourceVersion?: string;
}

/** An object of any kind, as generic code sees it. */
export interface KubernetesObject extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A path below an object, such as `/status`. Its body is the object; a write to it changes only a part of it. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly verbs: readonly Verb[];
}

/** Names and scope. `group` includes its suffix. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  /** `<group>/<version>` */
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
}

/** How the two paths that can write `status` treat it. Absent: the kind has no status. */
export interface StatusRules {
  /** A create drops the status that was sent. */
  readonly resetOnCreate: boolean;
  /** A write to the main path keeps the stored status. */
  readonly resetOnUpdate: boolean;
  /**
   * The part that a write to `/status` keeps; `metadata`: labels, annotations, finalizers and owner references;
   * `all-metadata`: all but managedFields.
   */
  readonly resetOnStatusUpdate: 'spec' | 'spec-and-metadata' | 'spec-and-all-metadata';
}

/** How a write to a subresource other than `status` is treated. */
export interface SubresourceRules {
  /** The top-level fields that keep their stored values. */
  readonly resets: readonly string[];
  readonly validateUpdate?: (object: KubernetesObject, stored: KubernetesObject, context: RuleContext) => readonly StatusCause[];
}

/** A kind whose first delete only marks the object, because something must be done before it may go. */
export interface TerminationRules {
  /** Marks the object. */
  readonly begin: (object: KubernetesObject) => KubernetesObject;
  /** Whether a marked object must stay, besides its finalizers. */
  readonly isHeld: (object: KubernetesObject) => boolean;
}

/** What becomes of the dependents of a deleted object. */
export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

/** Differences of a kind from the generic behaviour. All members are optional. Functions are pure. */
export interface Strategy {
  /** Fills in absent fields, and moves what is only for writing to where it is stored. */
  readonly applyDefaults?: (object: KubernetesObject) => KubernetesObject;
  /** The syntax of names, checked on create. Default: a DNS subdomain. */
  readonly checkName?: NameCheck;
  /** The syntax of generateName. Default: that of names, with a trailing dash allowed. */
  readonly checkGenerateName?: NameCheck;
  /** Drops fields of disabled features unless the stored object has them. `stored`: undefined on create. */
  readonly dropDisabled?: (object: KubernetesObject, stored: KubernetesObject | undefined, context: RuleContext) => KubernetesObject;
  /** What the server itself sets on create. The object has its name, uid and time, and its status was reset. */
  readonly prepareForCreate?: (object: KubernetesObject) => KubernetesObject;
  /** What a write to the main path keeps of the stored object, besides the status. */
  readonly prepareForUpdate?: (object: KubernetesObject, stored: KubernetesObject) => KubernetesObject;
  /** Defaults that Kubernetes sets only when it reads the stored object. Applied last, and not checked. */
  readonly applyStoredDefaults?: (object: KubernetesObject) => KubernetesObject;
  readonly validateCreate?: (object: KubernetesObject, context: RuleContext) => readonly StatusCause[];
  readonly validateUpdate?: (object: KubernetesObject, stored: KubernetesObject, context: RuleContext) => readonly StatusCause[];
  readonly validateStatusUpdate?: (object: KubernetesObject, stored: KubernetesObject, context: RuleContext) => readonly StatusCause[];
  /** Warnings for an accepted object, one text each. */
  readonly warnOnCreate?: (object: KubernetesObject) => readonly string[];
  /** Not called for writes to `/status`. */
  readonly warnOnUpdate?: (object: KubernetesObject, stored: KubernetesObject) => readonly string[];
  /** When finalizers without a domain must be Kubernetes' own. Default: always. */
  readonly checksStandardFinalizers?: 'always' | 'on-create' | 'never';
  /** PUT creates the object if it does not exist. Default: 404. */
  readonly updateCreates?: boolean;
  /** PUT without resourceVersion replaces any stored version. Default: refused. */
  readonly unconditionalUpdate?: boolean;
  /** `spec`: 1 on create, +1 with every change of spec. `as-sent` (default): as sent on create, then unchanged. */
  readonly generation?: 'spec' | 'as-sent';
  readonly status?: StatusRules;
  /** Further subresources, by name. */
  readonly subresources?: Readonly<Record<string, SubresourceRules>>;
  readonly termination?: TerminationRules;
  /** DELETE answers with the deleted object. Default: a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Propagation policies add the `orphan` and `foregroundDeletion` finalizers. Default: true. */
  readonly propagationFinalizers?: boolean;
  /** For deletes that name no policy, of objects without a finalizer of one. Default: `Background`. */
  readonly defaultPropagationPolicy?: PropagationPolicy;
  /** The warning for such a request, whatever its outcome. */
  readonly warnOnDefaultPropagation?: string;
  /** Objects expire after the server's event TTL, counted from the last write. Default: false. */
  readonly expires?: boolean;
  /** Whether field selectors may name metadata.namespace. Default: true, also for cluster-scoped kinds. */
  readonly selectsNamespace?: boolean;
  /** Selectable fields besides metadata.name and metadata.namespace, with functions that read them. */
  readonly selectableFields?: Readonly<Record<string, (object: KubernetesObject) => string>>;
  /** The message for any other field. Default: `field label not supported: …`. */
  readonly unknownFieldText?: (field: string) => string;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  /** `name`: the column contains the object's name. */
  readonly format?: 'name';
  readonly description: string;
  /** 0: always shown. 1: only in wide output. */
  readonly priority: 0 | 1;
}

/** `age`: a time in milliseconds since the epoch, shown as the time since then; undefined: `<unknown>`. */
export type TableCell = string | number | bigint | boolean | { readonly age: number | undefined };

/** A kind as a table. Ages are times, because they are rendered when they are sent. */
export interface TableDefinition {
  readonly columns: readonly TableColumn[];
  /**
   * One cell per column. The object is unchecked, as stored without kind and apiVersion, or has only zero values (a
   * bookmark). Must not throw: one invalid object must not fail a list.
   */
  readonly cells: (object: KubernetesObject) => readonly TableCell[];
  /** The rows of a list are in the order of this number, then of their names. Default: in the order of their keys. */
  readonly rank?: (object: KubernetesObject) => number;
}

export interface InternalType {
  readonly group?: string;
  readonly package?: string;
}

export interface Kind {
  readonly definition: ResourceDefinition;
  readonly shape: ObjectShape;
  readonly table: TableDefinition;
  readonly strategy: Strategy;
  /** Where Kubernetes' own type has another group, or a package in Go that is not called like its group. */
  readonly internal?: InternalType;
  /** Other versions of the same objects. Default: none. */
  readonly views?: readonly KindView[];
}

/**
 * Another version of a kind's objects. It is a kind itself, except that its objects are stored as those of the kind.
 * Created by `createView` (`kind-view.ts`).
 */
export interface KindView extends Kind {
  /** The kind that is stored. */
  readonly stored: Pick<Kind, 'definition' | 'shape' | 'table'>;
  /** Top-level fields with another name in the kind. */
  readonly renamed: readonly RenamedField[];
  /** The selectable fields, with their names in the kind's selectors. */
  readonly selectedAs: Readonly<Record<string, string>>;
}

export interface RenamedField {
  /** The name in the view. */
  readonly name: string;
  /** The name in the kind. */
  readonly stored: string;
}
