/** A document as the command line of the real controller manager. */
import type { ComponentDocument } from '../config-document.ts';
import type { FeatureGates } from './feature-gates.ts';
import { flagOf } from '../read/field-names.ts';
import { documentFields } from '../defaults/document-fields.ts';

export interface EquivalentFlags {
  /** `--name=value`, not quoted for a shell. In the order of the facts, each name once. */
  readonly flags: readonly string[];
  /** Paths that the file sets and no flag says. */
  readonly withoutFlag: readonly string[];
}

/** What the command line says beside the document. */
export interface FlagSurroundings {
  /** Those to set. */
  readonly featureGates?: FeatureGates;
  /** Where a LeaderMigrationConfiguration of its own is, which takes the place of one inside of the document. */
  readonly migrationFile?: string;
}

const MIGRATION = 'Generic.LeaderMigration';

/** Of what the file sets; what it leaves out is the default there too. A migration is a file of its own there. */
export function equivalentFlags(document: ComponentDocument, { featureGates, migrationFile }: FlagSurroundings = {}): EquivalentFlags {
  const values = new Map<string, string[]>();
  const withoutFlag = new Set<string>();
  for (const { path, field, value, parent } of documentFields(document)) {
    if (!document.isSet(path) || path.startsWith(`${MIGRATION}.`)) continue;
    const flag = flagOf(field, parent);
    if (flag === undefined || !(field.flagKinds ?? parent?.flagKinds ?? [document.kind]).includes(document.kind)) {
      withoutFlag.add(path.replace(/\[\d+\].*$/, ''));
      continue;
    }
    // Two fields share the flag of the service ranges.
    if (value !== '' || !values.has(flag)) values.set(flag, [...(values.get(flag) ?? []), textOf(value)]);
  }
  if (migrationFile !== undefined) values.set('--leader-migration-config', [migrationFile]);
  else if (document.isSet(MIGRATION)) withoutFlag.add(MIGRATION);
  if (featureGates !== undefined && featureGates.size > 0) {
    values.set(
      '--feature-gates',
      [...featureGates].map(([name, isOn]) => `${name}=${String(isOn)}`),
    );
  }
  return { flags: [...values].map(([flag, texts]) => `${flag}=${texts.join(',')}`), withoutFlag: [...withoutFlag] };
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));
