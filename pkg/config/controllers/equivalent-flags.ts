/** Converts a document to command-line flags of the real controller manager. */
import type { ComponentDocument } from '../config-document.ts';
import type { FeatureGates } from './feature-gates.ts';
import { flagOf } from '../read/field-names.ts';
import { documentFields } from '../defaults/document-fields.ts';

export interface EquivalentFlags {
  /** `--name=value`, without shell quoting. In the order of the facts, each flag once. */
  readonly flags: readonly string[];
  /** Paths of settings without a flag. */
  readonly withoutFlag: readonly string[];
}

/** Flags that do not come from the document. */
export interface FlagContext {
  /** Gates to set. */
  readonly featureGates?: FeatureGates;
  /** Path of a separate LeaderMigrationConfiguration, which overrides the embedded one. */
  readonly migrationFile?: string;
}

const MIGRATION = 'Generic.LeaderMigration';

/** Contains only values that the file sets; the defaults are the same. A migration is always a separate file there. */
export function equivalentFlags(document: ComponentDocument, { featureGates, migrationFile }: FlagContext = {}): EquivalentFlags {
  const values = new Map<string, string[]>();
  const withoutFlag = new Set<string>();
  for (const { path, field, value, parent } of documentFields(document)) {
    if (!document.isSet(path) || path.startsWith(`${MIGRATION}.`)) continue;
    const flag = flagOf(field, parent);
    if (flag === undefined || !(field.flagKinds ?? parent?.flagKinds ?? [document.kind]).includes(document.kind)) {
      withoutFlag.add(path.replace(/\[\d+\].*$/, ''));
      continue;
    }
    // The two service ranges share one flag.
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
