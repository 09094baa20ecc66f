/** The definition of a flag. */

/** Invalid use of the command line, exit code 2. As in Go, the message has neither a capital nor a full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** By name, since each bundle has its own copy of the class. */
export const isUsageError = (error: unknown): boolean => error instanceof Error && error.name === 'UsageError';

export interface Flag<Value> {
  /** Without dashes. A single letter has one dash. */
  readonly name: string;
  /** An alternative name, for the `config` commands. */
  readonly alias?: string;
  /** The value in help texts. */
  readonly placeholder: string;
  readonly help: string;
  /** As text; absent: no default. */
  readonly default?: string;
  /** The value of `--name` alone; absent: a value is required. */
  readonly alone?: string;
  /** May be repeated; values are joined by the separator. */
  readonly repeatable?: boolean;
  /** Default: a comma. */
  readonly separator?: string;
  /** Throws a plain Error whose message completes "--name: ". */
  readonly parse: (text: string) => Value;
}

/** The default is parsed like a user's value. */
export interface DefaultedFlag<Value> extends Flag<Value> {
  readonly default: string;
}

export const withDefault = <Value>(flag: DefaultedFlag<Value>): DefaultedFlag<Value> => flag;
export const optional = <Value>(flag: Flag<Value>): Flag<Value> => flag;

/** The options of a table of flags. */
export type OptionsOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };
type ValueOf<F> = F extends DefaultedFlag<infer Value> ? Value : F extends Flag<infer Value> ? Value | undefined : never;

export const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** The flag in help texts: `-n, --name VALUE`, or `--name[=BOOL]` when the value is optional. */
export const usageOf = ({ name, alias, placeholder, alone }: Flag<unknown>): string => {
  const names = [name, ...(alias === undefined ? [] : [alias])]
    .sort((a, b) => a.length - b.length)
    .map(dashed)
    .join(', ');
  return alone === undefined ? `${names} ${placeholder}` : `${names}[=${placeholder}]`;
};

export const environmentName = (name: string): string => `COXSWAIN_${name.toUpperCase().replaceAll('-', '_')}`;
