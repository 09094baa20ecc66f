/** `client.json` of a language's folder: which client it shows, what that needs, and the programs that show it. */

/**
 * A program and its arguments. A program with a slash in its name stands in the folder; any other is found on the PATH.
 */
export type Command = readonly [program: string, ...args: string[]];

export interface ClientProgram {
  readonly name: string;
  readonly command: Command;
  /** What it reports, in this order, when all is well. */
  readonly steps: readonly string[];
}

export interface ClientFile {
  /** As its users write it: `Go`. */
  readonly language: string;
  /** The client library and its version: `k8s.io/client-go 0.36.4`. */
  readonly client: string;
  /** Commands that succeed where the language is installed. */
  readonly tools: readonly Command[];
  /** Run once, in the folder, before the first program. They may download. */
  readonly prepare: readonly Command[];
  readonly programs: readonly ClientProgram[];
}

/** Throws one sentence, `where` in front, about the first thing that is wrong. */
export function parseClientFile(text: string, where: string): ClientFile {
  try {
    const file = membersOf(parseJson(text), 'the file', ['language', 'client', 'tools', 'prepare', 'programs']);
    return {
      language: textOf(file['language'], 'language'),
      client: textOf(file['client'], 'client'),
      tools: listOf(file['tools'], 'tools', commandOf),
      prepare: listOf(file['prepare'], 'prepare', commandOf),
      programs: programsOf(file['programs']),
    };
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function programsOf(value: unknown): readonly ClientProgram[] {
  const programs = listOf(value, 'programs', (each, name) => {
    const program = membersOf(each, name, ['name', 'command', 'steps']);
    const steps = listOf(program['steps'], `${name}.steps`, textOf);
    if (steps.length === 0) throw new Error(`${name}.steps is empty`);
    return { name: textOf(program['name'], `${name}.name`), command: commandOf(program['command'], `${name}.command`), steps };
  });
  if (programs.length === 0) throw new Error('programs is empty');
  const twice = programs.find(({ name }, index) => programs.findIndex((other) => other.name === name) < index);
  if (twice !== undefined) throw new Error(`two programs are called ${twice.name}`);
  return programs;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`not JSON (${error instanceof Error ? error.message : ''})`, { cause: error });
  }
}

function membersOf(value: unknown, name: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is not an object`);
  const members: Readonly<Record<string, unknown>> = { ...value };
  const unknown = Object.keys(members).find((member) => !known.includes(member));
  if (unknown !== undefined) throw new Error(`${name} has an unknown member ${unknown}; known are ${known.join(', ')}`);
  const missing = known.find((member) => !(member in members));
  if (missing !== undefined) throw new Error(`${name} has no ${missing}`);
  return members;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${name} is not a text`);
  return value;
}

function listOf<T>(value: unknown, name: string, parse: (each: unknown, name: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw new Error(`${name} is not a list`);
  return value.map((each, index) => parse(each, `${name}[${index}]`));
}

function commandOf(value: unknown, name: string): Command {
  const [program, ...args] = listOf(value, name, textOf);
  if (program === undefined) throw new Error(`${name} is empty`);
  return [program, ...args];
}
