/**
 * The description of a configuration kind: data generated from the facts in this folder. Only `rules/` refers to kinds
 * or fields by name.
 */

/** The kind of a document: its `apiVersion` and `kind`, and the shape of its fields. */
export interface ConfigKind {
  readonly kind: ConfigKindName;
  /** Without the suffix: `clustercontrollermanager.config`. */
  readonly group: string;
  readonly version: string;
  /** Names in existing files, which are also accepted. */
  readonly oldKind?: string;
  readonly oldGroup?: string;
  /** Other versions with the same fields. */
  readonly otherVersions?: readonly string[];
  /** Versions without the fields that have a value in `fixedIn`. Older spellings are not converted to or from these. */
  readonly furtherVersions?: readonly string[];
  /** The component that is configured. */
  readonly component?: string;
}

export type ConfigKindName =
  'CloudControllerManagerConfiguration' | 'ClusterControllerManagerConfiguration' | 'LeaderMigrationConfiguration';

/** An object in a document, or the whole document. */
export interface ConfigShape {
  readonly name: string;
  /** Markdown, for users. */
  readonly description: string;
  readonly fields: readonly ConfigField[];
}

export type ConfigFieldType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object';

export interface ConfigField {
  readonly name: string;
  /** Markdown, for users. */
  readonly description: string;
  readonly type: ConfigFieldType;
  readonly format?: 'int32' | 'float' | 'double' | 'duration' | 'ip' | 'cidr' | 'cidr-pair' | 'path';
  /** For an object, or the objects of a list; lists without it contain strings. */
  readonly shape?: string;
  /** The name in existing files, which is also accepted. */
  readonly oldName?: string;
  /** Absent for objects. `{group_suffix}` is replaced by the suffix of the document. */
  readonly default?: unknown;
  /** By kind of the document, where components differ. */
  readonly defaultIn?: Readonly<Partial<Record<ConfigKindName, unknown>>>;
  /** An empty string or list means the default. */
  readonly emptyIsDefault?: boolean;
  /** The place in Kubernetes' sources that documents the default. */
  readonly source?: string;
  /** Inclusive bounds; of durations as text. */
  readonly minimum?: number | string;
  readonly maximum?: number;
  /** Exclusive lower bound of a duration. */
  readonly above?: string;
  /** Required if the file sets the enclosing object. */
  readonly required?: boolean;
  /** By version of the document's kind: the version lacks the field and uses this value. */
  readonly fixedIn?: Readonly<Record<string, string>>;
  /** The allowed values. */
  readonly values?: readonly string[];
  /** Items are `*`, `name` and `-name`; the first item for a name counts. */
  readonly selectors?: boolean;
  /** The flag of the real controller manager, `--…`, and the components that have it. */
  readonly flag?: string;
  readonly flagKinds?: readonly ConfigKindName[];
  /** For an object whose fields have other flags in this place. */
  readonly flagsOfMembers?: Readonly<Record<string, string>>;
  readonly note?: string;
  /** Current releases of the components ignore it. */
  readonly effectless?: boolean;
  /** Only for fields of older files: the path of the field that replaces it. */
  readonly movedTo?: string;
}
