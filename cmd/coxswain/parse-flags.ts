/** Parses command line, environment and config file into options. */
import { readFile } from 'node:fs/promises';
import { dashed, environmentName, type Flag, type OptionsOf, UsageError } from './flag.ts';
import { SERVE_FLAGS, type ServeOptions } from './flags.ts';
import { KUBECONFIG_FLAGS, type KubeconfigOptions } from './kubeconfig-flags.ts';

/** A flag's text and its source for messages. */
interface Given {
  readonly text: string;
  readonly source: string;
}

/** Throws UsageError with one sentence. */
export async function parseServeFlags(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<ServeOptions> {
  const given = readGiven('serve', Object.values(SERVE_FLAGS), args, environment);
  const config = given.get(SERVE_FLAGS.config.name);
  if (config !== undefined) {
    for (const [name, text] of await readConfigFile(config.text)) {
      if (!given.has(name)) given.set(name, { text, source: `${name} in ${config.text}` });
    }
  }
  return optionsOf(SERVE_FLAGS, given);
}

/** Throws UsageError with one sentence. */
export function parseKubeconfigFlags(args: readonly string[], environment: NodeJS.ProcessEnv): KubeconfigOptions {
  return optionsOf(KUBECONFIG_FLAGS, readGiven('kubeconfig', Object.values(KUBECONFIG_FLAGS), args, environment));
}

type Flags = readonly Flag<unknown>[];

/** By name; the command line takes precedence over the environment. */
function readGiven(command: string, flags: Flags, args: readonly string[], environment: NodeJS.ProcessEnv): Map<string, Given> {
  const given = new Map<string, Given>();
  const own = readArguments(command, flags, args);
  for (const { name } of flags) {
    const fromEnvironment = environment[environmentName(name)];
    if (fromEnvironment !== undefined) given.set(name, { text: fromEnvironment, source: environmentName(name) });
  }
  for (const [name, text] of own) given.set(name, { text, source: dashed(name) });
  return given;
}

/** The value of each flag by its name in the table. */
function optionsOf<const Table extends Readonly<Record<string, Flag<unknown>>>>(
  table: Table,
  given: ReadonlyMap<string, Given>,
): OptionsOf<Table> {
  const values = Object.entries(table).map(([option, flag]) => {
    const { name, default: text } = flag;
    const found = given.get(name) ?? (text === undefined ? undefined : { text, source: dashed(name) });
    return [option, found === undefined ? undefined : parsed(flag, found)];
  });
  // TypeScript loses the names of a table in `Object.entries`.
  return Object.fromEntries(values) as OptionsOf<Table>;
}

function parsed<Value>(flag: Flag<Value>, { text, source }: Given): Value {
  try {
    return flag.parse(text);
  } catch (error) {
    throw new UsageError(`${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `--name=value` or `--name value`; the last duplicate counts unless the flag is repeatable. */
function readArguments(command: string, flags: Flags, args: readonly string[]): Map<string, string> {
  const read = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const argument = args[i] ?? '';
    const match = /^--?([^=]+)(?:=(.*))?$/s.exec(argument);
    if (match === null)
      throw new UsageError(`coxswain ${command} takes flags only, not ${JSON.stringify(argument)}; see coxswain help ${command}`);
    const [, name = '', inline] = match;
    const flag = flags.find((each) => each.name === name);
    if (flag === undefined) throw new UsageError(`there is no flag ${dashed(name)}; see coxswain help ${command}`);
    const next = args[i + 1];
    const follows = next !== undefined && (!next.startsWith('-') || next.length === 1);
    if (inline === undefined && !follows && flag.alone === undefined) throw new UsageError(`${dashed(name)}: a value is missing`);
    if (inline === undefined && follows) i++;
    const text = inline ?? (follows ? next : (flag.alone ?? ''));
    const before = flag.repeatable === true ? read.get(name) : undefined;
    read.set(name, before === undefined ? text : `${before}${flag.separator ?? ','}${text}`);
  }
  return read;
}

const SERVE_FLAGS_BY_NAME: ReadonlyMap<string, Flag<unknown>> = new Map(Object.values(SERVE_FLAGS).map((flag) => [flag.name, flag]));

async function readConfigFile(path: string): Promise<ReadonlyMap<string, string>> {
  let content;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--config: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { parse } = await import('./yaml.ts');
  let document: unknown;
  try {
    document = parse(content);
  } catch (error) {
    throw new UsageError(`--config: ${path} is neither YAML nor JSON: ${firstLine(error)}`);
  }
  if (document === null || document === undefined) return new Map();
  if (typeof document !== 'object' || Array.isArray(document)) throw new UsageError(`--config: ${path} must hold flags by name`);
  return new Map(
    Object.entries(document).map(([name, value]) => {
      const flag = SERVE_FLAGS_BY_NAME.get(name);
      if (flag === undefined || name === SERVE_FLAGS.config.name)
        throw new UsageError(`--config: ${path} names ${JSON.stringify(name)}, which is not a flag`);
      return [name, flagText(value, flag, path)];
    }),
  );
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1).join('').replace(/:$/, '');

/** Joins lists by the separator and writes maps as `name=value`, as on the command line. */
function flagText(value: unknown, flag: Flag<unknown>, path: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((each) => flagText(each, flag, path)).join(flag.separator ?? ',');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, each]) => `${key}=${flagText(each, flag, path)}`)
      .join(',');
  }
  throw new UsageError(`--config: ${path}: ${flag.name} has no value`);
}
