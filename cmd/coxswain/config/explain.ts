/** `coxswain config explain`: describes a kind or field and its default. */
import type { ConfigField, ConfigKind, ConfigKindName, ConfigShape } from '../../../pkg/config/kinds/config-kind.ts';
import { CONFIG_KINDS, CONFIG_SHAPES } from '../../../pkg/config/kinds/kinds.gen.ts';
import { fieldNamed, fieldOfFlag, pathsOfFieldsNamed, shapeNamed } from '../../../pkg/config/read/field-names.ts';
import { apiVersionOf, kindNamed, kindNames } from '../../../pkg/config/read/type-meta.ts';
import { nearestName } from '../../../pkg/config/read/nearest-name.ts';
import { UsageError } from '../flag.ts';
import { wrap } from '../help.ts';
import type { Terminal } from '../terminal.ts';
import { EXPLAIN_FLAGS } from './config-flags.ts';
import { onlyArgument, readFileArguments } from './file-arguments.ts';
import type { CommandOutput } from './open-config.ts';

const INDENT = 2;
const MAX_COLUMNS = 100;
/** Maximum number of suggested paths. */
const MAX_HINTS = 4;

/** Accepts both spellings and inner kinds. Throws UsageError for unknown names. */
export function explainConfig(args: readonly string[], { columns }: Pick<Terminal, 'columns'>): CommandOutput {
  const given = readFileArguments('config explain', Object.values(EXPLAIN_FLAGS), args);
  const recursive = given.required(EXPLAIN_FLAGS.recursive);
  const [name = '', ...names] = onlyArgument('config explain', 'KIND.path', given)
    .replaceAll(/\[\d*\]/g, '')
    .split('.');
  const kind = kindNamed(name)?.kind;
  const whole = CONFIG_SHAPES[kind?.kind ?? name];
  if (whole === undefined) throw new UsageError(`there is no kind ${JSON.stringify(name)}; ${hintFor(name, names)}`);
  let shape: ConfigShape | undefined = whole;
  let field: ConfigField | undefined;
  let path: string = whole.name;
  for (const each of names) {
    field = fieldIn(shape, path, each);
    path += `.${field.name}`;
    shape = field.shape === undefined ? undefined : shapeNamed(field.shape);
  }
  const width = Math.min(columns, MAX_COLUMNS);
  const about = field === undefined ? kindText(whole, kind, width) : fieldText(field, kind, width);
  return { text: `${[path, ...about, ...(shape === undefined ? [] : memberText(shape, recursive))].join('\n\n')}\n`, exitCode: 0 };
}

/** Suggestions for a misspelled or missing kind, or for a field or flag name alone. */
function hintFor(name: string, names: readonly string[]): string {
  const within = CONFIG_KINDS.flatMap(({ kind }) => pathsMeant(kind, [name, ...names]).map((path) => `${kind}.${path}`));
  if (within.length > 0) return `did you mean ${within.slice(0, MAX_HINTS).join(' or ')}?`;
  const near = nearestName(name, kindNames()) ?? nearestName(name, Object.keys(CONFIG_SHAPES));
  return near === undefined ? `known are ${kindNames().join(', ')}, and what is inside of them` : `did you mean ${near}?`;
}

/** Paths that match a flag name, the end of a path, or a path in the old spelling. */
function pathsMeant(kind: ConfigKindName, names: readonly string[]): string[] {
  const requested = names.join('.');
  if (isField(shapeNamed(kind), names)) return [requested];
  const flagged = fieldOfFlag(kind, requested);
  if (flagged !== undefined) return [flagged.path];
  return pathsOfFieldsNamed(kind, names.at(-1) ?? '').filter((path) => `.${path}`.toLowerCase().endsWith(`.${requested}`.toLowerCase()));
}

function isField(shape: ConfigShape | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const field = shape === undefined ? undefined : fieldNamed(shape, name)?.field;
  return field !== undefined && isField(field.shape === undefined ? undefined : shapeNamed(field.shape), rest);
}

function fieldIn(shape: ConfigShape | undefined, path: string, name: string): ConfigField {
  if (shape === undefined) throw new UsageError(`${path} is not an object and has no field ${JSON.stringify(name)}`);
  const found = fieldNamed(shape, name)?.field;
  if (found !== undefined) return found;
  const spellings = new Map(shape.fields.flatMap((field) => [field.oldName ?? field.name, field.name].map((each) => [each, field.name])));
  const near = nearestName(name, spellings.keys());
  const hint =
    near === undefined ? `it has ${[...new Set(spellings.values())].join(', ')}` : `did you mean ${spellings.get(near) ?? near}?`;
  throw new UsageError(`${path} has no field ${JSON.stringify(name)}; ${hint}`);
}

type Detail = readonly [name: string, text: string | undefined];

function kindText(shape: ConfigShape, kind: ConfigKind | undefined, width: number): string[] {
  const places = placesOf(shape.name);
  const details: readonly Detail[] = [
    ['apiVersion', kind && apiVersionOf(kind, '<suffix>')],
    ['also', kind?.otherVersions?.join(', ')],
    ['configures', kind?.component],
    ['older name', kind?.oldKind],
    ['older group', kind?.oldGroup],
    ['found at', places.length === 0 ? undefined : places.join(' ')],
  ];
  return [wrapped(shape.description, width), ...detailText(details, width)];
}

/** Document paths at which an object of this shape may occur. */
function placesOf(shape: string): string[] {
  const search = (within: ConfigShape, path: string): string[] =>
    within.fields.flatMap((field) => {
      if (field.shape === undefined) return [];
      const inner = `${path}.${field.name}${field.type === 'list' ? '[]' : ''}`;
      return [...(field.shape === shape ? [inner] : []), ...search(shapeNamed(field.shape), inner)];
    });
  return CONFIG_KINDS.flatMap(({ kind }) => search(shapeNamed(kind), kind));
}

/** `kind`: the requested document, if any. Defaults that differ by component are listed for it, or for each. */
function fieldText(field: ConfigField, kind: ConfigKind | undefined, width: number): string[] {
  const { description, note, source, flag, flagKinds = [], oldName, movedTo, minimum, maximum, above, values, defaultIn = {} } = field;
  const own: unknown = kind === undefined ? undefined : defaultIn[kind.kind];
  const fallback = own ?? field.default;
  const others = kind === undefined ? Object.entries(defaultIn).map(([name, value]) => `${JSON.stringify(value)} in ${name}`) : [];
  const details: readonly Detail[] = [
    ['type', typeText(field)],
    ['default', fallback === undefined ? others.join(', ') || undefined : [JSON.stringify(fallback), ...others].join(', ')],
    ['stated in', source],
    ['at least', minimum?.toString()],
    ['at most', maximum?.toString()],
    ['more than', above],
    ['one of', values?.join(', ')],
    ['flag', kind === undefined || flagKinds.includes(kind.kind) ? flag : undefined],
    ['older name', oldName],
    ['now', movedTo],
    ['in effect', field.effectless === true ? 'no: current releases ignore it' : undefined],
  ];
  return [wrapped(description, width), ...detailText(details, width), ...(note === undefined ? [] : [wrapped(note, width)])];
}

/** Two columns; empty when there are no details. */
function detailText(details: readonly Detail[], width: number): string[] {
  const rows = details.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }]));
  if (rows.length === 0) return [];
  const column = INDENT + Math.max(...rows.map(({ name }) => name.length)) + 2;
  return [rows.map(({ name, text }) => `${' '.repeat(INDENT)}${name}`.padEnd(column) + wrap(text, column, width).trimStart()).join('\n')];
}

function memberText(shape: ConfigShape, recursive: boolean): string[] {
  const members = membersOf(shape, recursive, INDENT);
  if (members.length === 0) return [];
  const width = Math.max(...members.map(({ name }) => name.length));
  return [`Fields:\n${members.map(({ name, type }) => `${name.padEnd(width)}  ${type}`).join('\n')}`];
}

function membersOf({ fields }: ConfigShape, recursive: boolean, indent: number): { readonly name: string; readonly type: string }[] {
  return fields.flatMap((field) => [
    { name: ' '.repeat(indent) + field.name, type: typeText(field) },
    ...(recursive && field.shape !== undefined ? membersOf(shapeNamed(field.shape), recursive, indent + INDENT) : []),
  ]);
}

function typeText({ type, format, shape, movedTo }: ConfigField): string {
  if (movedTo !== undefined) return `now ${movedTo}`;
  if (type === 'object') return shape ?? '';
  return type === 'list' ? `list of ${shape ?? 'strings'}` : (format ?? type);
}

const wrapped = (text: string, width: number): string => wrap(text.replaceAll('`', ''), INDENT, width);
