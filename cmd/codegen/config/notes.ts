/** What the facts say of a field beside its description, as sentences for people: pages and editors show them. */
import type { ConfigField, ConfigKind } from '../../../pkg/config/kinds/config-kind.ts';

/** Bounds, closed lists, and all that is special. */
export const notesOf = (field: ConfigField): string[] => [...limitsOf(field), ...noteOf(field)];

/** What a value may be, and what it does not do. */
export function limitsOf(field: ConfigField): string[] {
  const { minimum, maximum, above, values, effectless, movedTo, emptyIsDefault, required, selectors } = field;
  return [
    ...(required === true ? ['Required where the object is said at all.'] : []),
    ...(minimum === undefined ? [] : [maximum === undefined ? `At least ${minimum}.` : `From ${minimum} to ${maximum}.`]),
    ...(above === undefined ? [] : [`More than ${above}.`]),
    ...(values === undefined ? [] : [`One of ${values.map(code).join(', ')}.`]),
    ...(selectors === true ? ['The first item for a name counts.'] : []),
    ...(movedTo === undefined ? [] : [`Now ${code(movedTo)}.`]),
    ...(emptyIsDefault === true ? ['Empty: the default.'] : []),
    ...(effectless === true ? ['Without effect in current releases.'] : []),
  ];
}

/** Where it comes from, and how others treat it: a sentence or several. */
export const noteOf = ({ note }: ConfigField): string[] => (note === undefined ? [] : [sentence(note)]);

/** Undefined for objects, which have none of their own. */
export const defaultIn = (field: ConfigField, { kind }: ConfigKind): unknown => field.defaultIn?.[kind] ?? field.default;

/** As it would stand in a file; empty where there is none. */
export function defaultText(field: ConfigField, kind: ConfigKind): string {
  const value = defaultIn(field, kind);
  return value === undefined ? '' : code(typeof value === 'string' && value !== '' ? value : JSON.stringify(value));
}

/** Of the component that a document of this kind configures; those of members for an object that has them here. */
export function flagsIn(field: ConfigField, { kind }: ConfigKind): string[] {
  const { flag, flagKinds = [], flagsOfMembers = {} } = field;
  if (!flagKinds.includes(kind)) return [];
  return [...(flag === undefined ? [] : [flag]), ...Object.values(flagsOfMembers)];
}

export const code = (text: string): string => `\`${text}\``;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!]$/.test(text) ? '' : '.'}`;
