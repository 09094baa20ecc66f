/** Sentences about a field besides its description, for pages and editors. */
import type { ConfigField, ConfigKind } from '../../../pkg/config/kinds/config-kind.ts';

export const notesOf = (field: ConfigField): string[] => [...limitsOf(field), ...noteOf(field)];

/** Limits and special meanings of a value. */
export function limitsOf(field: ConfigField): string[] {
  const { minimum, maximum, above, values, effectless, movedTo, emptyIsDefault, required, selectors } = field;
  return [
    ...(required === true ? ['Required if the object is set.'] : []),
    ...(minimum === undefined ? [] : [maximum === undefined ? `At least ${minimum}.` : `From ${minimum} to ${maximum}.`]),
    ...(above === undefined ? [] : [`More than ${above}.`]),
    ...(values === undefined ? [] : [`One of ${values.map(code).join(', ')}.`]),
    ...(selectors === true ? ['The first item for a name counts.'] : []),
    ...(movedTo === undefined ? [] : [`Now ${code(movedTo)}.`]),
    ...(emptyIsDefault === true ? ['Empty: the default.'] : []),
    ...(effectless === true ? ['Without effect in current releases.'] : []),
  ];
}

/** The field's own note as sentences. */
export const noteOf = ({ note }: ConfigField): string[] => (note === undefined ? [] : [sentence(note)]);

/** Undefined for objects: only their fields have defaults. */
export const defaultIn = (field: ConfigField, { kind }: ConfigKind): unknown => field.defaultIn?.[kind] ?? field.default;

/** The default as written in a file; empty if there is none. */
export function defaultText(field: ConfigField, kind: ConfigKind): string {
  const value = defaultIn(field, kind);
  return value === undefined ? '' : code(typeof value === 'string' && value !== '' ? value : JSON.stringify(value));
}

/** Flags of the component that a document of this kind configures, including flags of the object's members. */
export function flagsIn(field: ConfigField, { kind }: ConfigKind): string[] {
  const { flag, flagKinds = [], flagsOfMembers = {} } = field;
  if (!flagKinds.includes(kind)) return [];
  return [...(flag === undefined ? [] : [flag]), ...Object.values(flagsOfMembers)];
}

export const code = (text: string): string => `\`${text}\``;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!]$/.test(text) ? '' : '.'}`;
