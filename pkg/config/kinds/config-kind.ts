/**
 * What a configuration kind is: data, generated from the facts beside this file. Reading, defaults, rules, schemas and pages all go by these tables;
 * nothing outside `rules/` knows a kind or a field by name.
 */

/** A document's kind: what stands in `apiVersion` and `kind`, and the shape of the rest. */
export interface ConfigKind {
  readonly kind: ConfigKindName;
  /** Without the suffix: `clustercontrollermanager.config`. */
  readonly group: string;
  readonly version: string;
  /** Names in existing files, which are read as well. */
  readonly oldKind?: string;
  readonly oldGroup?: string;
  /** Other versions with the same fields. */
  readonly otherVersions?: readonly string[];
  /** Versions that lack what fields say in `fixedIn`. They are read, and not older forms of anything. */
  readonly furtherVersions?: readonly string[];
  /** The program that is configured. */
  readonly component?: string;
}

export type ConfigKindName =
  'CloudControllerManagerConfiguration' | 'ClusterControllerManagerConfiguration' | 'LeaderMigrationConfiguration';

/** An object in a document, the whole document among them. */
export interface ConfigShape {
  readonly name: string;
  /** For people, as Markdown. */
  readonly description: string;
  readonly fields: readonly ConfigField[];
}

export type ConfigFieldType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object';

export interface ConfigField {
  readonly name: string;
  /** For people, as Markdown. */
  readonly description: string;
  readonly type: ConfigFieldType;
  readonly format?: 'int32' | 'float' | 'double' | 'duration' | 'ip' | 'cidr' | 'cidr-pair' | 'path';
  /** Of an object, or of a list's objects; lists without it hold strings. */
  readonly shape?: string;
  /** Its name in existing files, which is read as well. */
  readonly oldName?: string;
  /** Absent for objects. `{group_suffix}` stands for that of the document. */
  readonly default?: unknown;
  /** By the document's kind, where components differ. */
  readonly defaultIn?: Readonly<Partial<Record<ConfigKindName, unknown>>>;
  /** An empty text or list stands for the default. */
  readonly emptyIsDefault?: boolean;
  /** Where the default is stated. */
  readonly source?: string;
  /** Bounds, included; of durations as text. */
  readonly minimum?: number | string;
  readonly maximum?: number;
  /** A duration that is not allowed itself. */
  readonly above?: string;
  /** A file that has the object at all must say it. */
  readonly required?: boolean;
  /** By version of the document's kind: it has no such field, and this counts. */
  readonly fixedIn?: Readonly<Record<string, string>>;
  /** A closed list. */
  readonly values?: readonly string[];
  /** `*`, `name` and `-name`, of which the first for a name counts. */
  readonly selectors?: boolean;
  /** Of the real controller manager, `--…`, and which of them have it. */
  readonly flag?: string;
  readonly flagKinds?: readonly ConfigKindName[];
  /** Of an object whose fields have flags of their own here. */
  readonly flagsOfMembers?: Readonly<Record<string, string>>;
  readonly note?: string;
  /** Current releases of the components do nothing with it. */
  readonly effectless?: boolean;
  /** Only in older files: the path, from the document, of the field that took its place. */
  readonly movedTo?: string;
}
