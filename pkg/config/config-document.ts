/** A document of a file, as those who embed it, the rules and the commands see it. */
import type { ConfigKindName } from './kinds/config-kind.ts';
import type { ConfigTypes } from './kinds/types.gen.ts';
import type { Position } from './problem.ts';

/** Paths are those of problems: `Generic.LeaderElection.renewDeadline`, `Generic.Controllers[2]`. */
export interface ConfigDocumentOf<Kind extends ConfigKindName> {
  readonly kind: Kind;
  /** Complete and frozen: what the file sets, and defaults. */
  readonly config: ConfigTypes[Kind];
  /** Which document of the file, from 1. */
  readonly document: number;
  /** Whether the file itself says so, even if it says what the default is. `null` says nothing. */
  readonly isSet: (path: string) => boolean;
  /** Of the value; of what is not set, of the nearest object around it that is. */
  readonly positionOf: (path: string) => Position;
}

export type ConfigDocument = { readonly [Kind in ConfigKindName]: ConfigDocumentOf<Kind> }[ConfigKindName];

/** One that configures a program. */
export type ComponentDocument = Exclude<ConfigDocument, ConfigDocumentOf<'LeaderMigrationConfiguration'>>;

export const isComponent = (document: ConfigDocument): document is ComponentDocument => document.kind !== 'LeaderMigrationConfiguration';

/** The document of this kind, if there is one: a file holds at most one of each. */
export function documentOf<Kind extends ConfigKindName>(
  documents: readonly ConfigDocument[],
  kind: Kind,
): ConfigDocumentOf<Kind> | undefined {
  const isOfKind = (document: ConfigDocument): document is ConfigDocument & ConfigDocumentOf<Kind> => document.kind === kind;
  return documents.find(isOfKind);
}
