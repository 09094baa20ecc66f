/** One document of a configuration file, as seen by embedders, rules and commands. */
import type { ConfigKindName } from './kinds/config-kind.ts';
import type { ConfigTypes } from './kinds/types.gen.ts';
import type { Position } from './problem.ts';

/** Paths as in problems: `Generic.LeaderElection.renewDeadline`, `Generic.Controllers[2]`. */
export interface ConfigDocumentOf<Kind extends ConfigKindName> {
  readonly kind: Kind;
  /** Complete and frozen: the values of the file, and defaults. */
  readonly config: ConfigTypes[Kind];
  /** Number of the document in the file, from 1. */
  readonly document: number;
  /** Whether the file sets the value, even to its default. `null` does not count as set. */
  readonly isSet: (path: string) => boolean;
  /** Position of the value; for a value that is not set, of the nearest enclosing object that is. */
  readonly positionOf: (path: string) => Position;
}

export type ConfigDocument = { readonly [Kind in ConfigKindName]: ConfigDocumentOf<Kind> }[ConfigKindName];

/** A document that configures a component. */
export type ComponentDocument = Exclude<ConfigDocument, ConfigDocumentOf<'LeaderMigrationConfiguration'>>;

export const isComponent = (document: ConfigDocument): document is ComponentDocument => document.kind !== 'LeaderMigrationConfiguration';

/** The document of this kind, if any; a file contains at most one of each kind. */
export function documentOf<Kind extends ConfigKindName>(
  documents: readonly ConfigDocument[],
  kind: Kind,
): ConfigDocumentOf<Kind> | undefined {
  const isOfKind = (document: ConfigDocument): document is ConfigDocument & ConfigDocumentOf<Kind> => document.kind === kind;
  return documents.find(isOfKind);
}
