/**
 * What a kind is: data plus one small strategy. One folder per kind, `pkg/apis/<group>/<version>/<resource>/`;
 * `kinds.gen.ts` lists them. Nothing outside that folder asks which kind it has in hand: what a kind does differently
 * is a member of `Kind` or `Strategy`.
 */
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import type { CheckedMetadata } from '../apimachinery/meta/object-meta.ts';
import type { NameCheck } from '../apimachinery/meta/names.ts';
import type { StatusCause } from '../apimachinery/status/status-error.ts';
import type { RuleContext } from './rule-context.ts';
import type { ObjectShape } from './type-shape.ts';

/** ObjectMeta as the machinery reads it. */
export interface ObjectMeta extends JsonObject, CheckedMetadata {
  readonly resourceVersion?: string;
}

/** Any object of any kind, as the machinery sees it. */
export interface KubernetesObject extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** Names and scope. `group` is complete, its suffix included. */
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
  /** `status` has verbs get, patch, update. */
  readonly subresources: readonly 'status'[];
}

/** How `status` is treated by the two paths that can write it. Absent: the kind has no status. */
export interface StatusRules {
  /** A create drops the status that was sent. */
  readonly resetOnCreate: boolean;
  /** A write to the main path keeps the stored status. */
  readonly resetOnUpdate: boolean;
  /** A write to `/status` keeps the stored spec, and of the metadata what is named here. */
  readonly resetOnStatusUpdate: 'spec' | 'spec-and-metadata';
}

/** What is special about a kind. Every member has a default that does nothing. Functions are pure. */
export interface Strategy {
  /** Fields that a client left out and the server fills in. */
  readonly applyDefaults?: (object: KubernetesObject) => KubernetesObject;
  /** What is wrong with a name, on create. Default: it must be a DNS subdomain. */
  readonly checkName?: NameCheck;
  /** Drops fields of disabled features unless they are stored already. `stored`: undefined on create. */
  readonly dropDisabled?: (object: KubernetesObject, stored: KubernetesObject | undefined, context: RuleContext) => KubernetesObject;
  readonly validateCreate?: (object: KubernetesObject, context: RuleContext) => readonly StatusCause[];
  readonly validateUpdate?: (object: KubernetesObject, stored: KubernetesObject, context: RuleContext) => readonly StatusCause[];
  readonly validateStatusUpdate?: (object: KubernetesObject, stored: KubernetesObject, context: RuleContext) => readonly StatusCause[];
  /** What a client is told of an object that is taken all the same, one text for each. */
  readonly warnOnCreate?: (object: KubernetesObject) => readonly string[];
  /** Not asked about a write to `/status`. */
  readonly warnOnUpdate?: (object: KubernetesObject, stored: KubernetesObject) => readonly string[];
  /** When finalizers without a domain must be Kubernetes' own. Default: always. */
  readonly checksStandardFinalizers?: 'always' | 'on-create' | 'never';
  /** PUT of a name that does not exist creates it. Default: 404. */
  readonly updateCreates?: boolean;
  /** PUT without resourceVersion replaces whatever is stored. Default: refused. */
  readonly unconditionalUpdate?: boolean;
  /** `spec`: 1 on create, +1 with every change of spec. `as-sent` (default): as created, and never changed. */
  readonly generation?: 'spec' | 'as-sent';
  readonly status?: StatusRules;
  /** Deleting answers with the object as it was; default: a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Propagation policies put the `orphan` and `foregroundDeletion` finalizers. Default: true. */
  readonly propagationFinalizers?: boolean;
  /** Every write lets the object expire after the server's event TTL. Default: false. */
  readonly expires?: boolean;
  /** Fields besides metadata.name and metadata.namespace that a field selector may name, and how to read them. */
  readonly selectableFields?: Readonly<Record<string, (object: KubernetesObject) => string>>;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  /** `name`: the column that names the object. */
  readonly format?: 'name';
  readonly description: string;
  /** 0: always shown; 1: only in wide output. */
  readonly priority: 0 | 1;
}

/** `age`: how long ago that was, in milliseconds since the epoch; undefined: `<unknown>`. */
export type TableCell = string | number | bigint | boolean | { readonly age: number | undefined };

/** How a kind is shown as a table. Ages are given as times, since they are rendered when they are sent. */
export interface TableDefinition {
  readonly columns: readonly TableColumn[];
  /**
   * As many as there are columns. The object is as it was stored, without kind and apiVersion, or all zero values (a
   * bookmark). Never throws, whatever the object holds: a list must not fail for one odd object.
   */
  readonly cells: (object: KubernetesObject) => readonly TableCell[];
}

export interface Kind {
  readonly definition: ResourceDefinition;
  readonly shape: ObjectShape;
  readonly table: TableDefinition;
  readonly strategy: Strategy;
  /** Other versions of the same objects. Default: none. */
  readonly views?: readonly KindView[];
}

/**
 * Another version in which the objects of a kind are written and read, a kind in its own right but for what is stored:
 * that is the kind's. `createView` (`kind-view.ts`) makes one.
 */
export interface KindView extends Kind {
  /** The kind whose objects they are. */
  readonly stored: Pick<Kind, 'definition' | 'shape' | 'table'>;
  /** The fields of the object itself that have another name in the kind. */
  readonly renamed: readonly RenamedField[];
  /** What each field that a selector may name is called in the kind's own selectors. */
  readonly selectedAs: Readonly<Record<string, string>>;
}

export interface RenamedField {
  /** Its name in the view. */
  readonly name: string;
  /** Its name in the kind. */
  readonly stored: string;
}
