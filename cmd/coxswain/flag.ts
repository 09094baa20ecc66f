/** What a flag is, for every command. */

/** A mistake in how the command was called: one sentence for the user, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whoever threw it: built programs have a class of their own each (`load-program.ts`). */
export const isUsageError = (error: unknown): boolean => error instanceof Error && error.name === 'UsageError';

export interface Flag<Value> {
  /** Without dashes. A single letter is written with one dash. */
  readonly name: string;
  /** Another name of it, for the `config` commands. */
  readonly alias?: string;
  /** Stands for the value in help. */
  readonly placeholder: string;
  readonly help: string;
  /** As text; absent: none. */
  readonly default?: string;
  /** What `--name` alone means; absent: a value must follow. */
  readonly alone?: string;
  /** May be given several times; the texts are joined by commas. */
  readonly repeatable?: boolean;
  /** Throws a plain Error whose message completes "--name: ". */
  readonly parse: (text: string) => Value;
}

/** The default is parsed like what a user writes. */
export interface DefaultedFlag<Value> extends Flag<Value> {
  readonly default: string;
}

export const withDefault = <Value>(flag: DefaultedFlag<Value>): DefaultedFlag<Value> => flag;
export const optional = <Value>(flag: Flag<Value>): Flag<Value> => flag;

/** The options that a table of flags yields. */
export type OptionsOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };
type ValueOf<F> = F extends DefaultedFlag<infer Value> ? Value : F extends Flag<infer Value> ? Value | undefined : never;

export const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** How help writes a flag: `-n, --name VALUE`, `--name[=BOOL]` when the name alone is enough. */
export const usageOf = ({ name, alias, placeholder, alone }: Flag<unknown>): string => {
  const names = [name, ...(alias === undefined ? [] : [alias])]
    .sort((a, b) => a.length - b.length)
    .map(dashed)
    .join(', ');
  return alone === undefined ? `${names} ${placeholder}` : `${names}[=${placeholder}]`;
};

export const environmentName = (name: string): string => `COXSWAIN_${name.toUpperCase().replaceAll('-', '_')}`;
