/** `coxswain config explain`: what a kind or a field is, with its default and where that comes from. */
import type { ConfigField, ConfigKind, ConfigShape } from '../../../pkg/config/kinds/config-kind.ts';
import { fieldNamed, shapeNamed } from '../../../pkg/config/read/field-names.ts';
import { kindNamed, kindNames } from '../../../pkg/config/read/identify.ts';
import { nearestName } from '../../../pkg/config/read/nearest-name.ts';
import { UsageError } from '../flag.ts';
import { wrap } from '../help.ts';
import { readFileArguments } from './file-arguments.ts';
import type { CommandOutput } from './open-config.ts';
import { onlyArgument } from './print-commands.ts';

const INDENT = 2;

/** In either spelling. Throws UsageError for what there is not. */
export function explainConfig(args: readonly string[]): CommandOutput {
  const asked = onlyArgument('config explain', 'KIND.path', readFileArguments('config explain', [], args));
  const [kindName = '', ...names] = asked.replaceAll(/\[\d*\]/g, '').split('.');
  const named = kindNamed(kindName);
  if (named === undefined) {
    const near = nearestName(kindName, kindNames());
    throw new UsageError(
      `There is no kind ${JSON.stringify(kindName)}; ${near === undefined ? `known are ${kindNames().join(', ')}.` : `did you mean ${near}?`}`,
    );
  }
  let shape: ConfigShape | undefined = shapeNamed(named.kind.kind);
  let field: ConfigField | undefined;
  let path: string = named.kind.kind;
  for (const name of names) {
    field = fieldIn(shape, path, name);
    path += `.${field.name}`;
    shape = field.shape === undefined ? undefined : shapeNamed(field.shape);
  }
  const parts = [path, ...(field === undefined ? [wrapped(shape?.description ?? '')] : fieldText(field, named.kind))];
  return { text: `${[...parts, ...(shape === undefined ? [] : memberText(shape))].join('\n\n')}\n`, exitCode: 0 };
}

function fieldIn(shape: ConfigShape | undefined, path: string, name: string): ConfigField {
  const found = shape === undefined ? undefined : fieldNamed(shape, name)?.field;
  if (found !== undefined) return found;
  const near = nearestName(
    name,
    (shape?.fields ?? []).map((each) => each.name),
  );
  throw new UsageError(`${path} has no field ${JSON.stringify(name)}${near === undefined ? '.' : `; did you mean ${near}?`}`);
}

function fieldText(field: ConfigField, { kind }: ConfigKind): string[] {
  const { description, note, source, flag, flagKinds = [], oldName, movedTo, minimum, maximum, above, values } = field;
  const fallback = field.defaultIn?.[kind] ?? field.default;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['type', typeText(field)],
    ['default', fallback === undefined ? undefined : JSON.stringify(fallback)],
    ['stated in', source],
    ['at least', minimum?.toString()],
    ['at most', maximum?.toString()],
    ['more than', above],
    ['one of', values?.join(', ')],
    ['flag', flagKinds.includes(kind) ? flag : undefined],
    ['older name', oldName],
    ['now', movedTo],
    ['in effect', field.effectless === true ? 'no: current releases do nothing with it' : undefined],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.flatMap(([name, text]) => (text === undefined ? [] : [`${' '.repeat(INDENT)}${name.padEnd(width)}  ${text}`]));
  return [wrapped(description), lines.join('\n'), ...(note === undefined ? [] : [wrapped(note)])];
}

function memberText({ fields }: ConfigShape): string[] {
  if (fields.length === 0) return [];
  const width = Math.max(...fields.map(({ name }) => name.length));
  return [`Fields:\n${fields.map((field) => `${' '.repeat(INDENT)}${field.name.padEnd(width)}  ${typeText(field)}`).join('\n')}`];
}

function typeText({ type, format, shape }: ConfigField): string {
  if (type === 'object') return shape ?? '';
  return type === 'list' ? `list of ${shape ?? 'strings'}` : (format ?? type);
}

const wrapped = (text: string): string => wrap(text.replaceAll('`', ''), INDENT);
