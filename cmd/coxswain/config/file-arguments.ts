/** Arguments of the `config` commands: flags and file names. */
import { errorMessage } from '../../../pkg/apimachinery/status/error-message.ts';
import { nearestName } from '../../../pkg/config/read/nearest-name.ts';
import { dashed, type DefaultedFlag, type Flag, UsageError } from '../flag.ts';

export interface FileArguments {
  readonly files: readonly string[];
  /** The given value or the default. Throws UsageError. */
  readonly required: <Value>(flag: DefaultedFlag<Value>) => Value;
  /** Undefined when not given. Throws UsageError. */
  readonly value: <Value>(flag: Flag<Value>) => Value | undefined;
}

/**
 * `--name=value` or `--name value`, `-o value` or `-ovalue`. `-` and everything after `--` are files. The last
 * duplicate counts. Throws UsageError.
 */
export function readFileArguments(command: string, flags: readonly Flag<unknown>[], args: readonly string[]): FileArguments {
  const given = new Map<string, string>();
  const files: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const argument = args[i] ?? '';
    if (argument === '--') {
      files.push(...args.slice(i + 1));
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      files.push(argument);
      continue;
    }
    const { flag, inline } = flagOf(command, flags, argument);
    if (inline === undefined && flag.alone === undefined) i++;
    const text = inline ?? flag.alone ?? args[i];
    if (text === undefined) throw new UsageError(`${dashed(flag.name)}: a value is missing`);
    given.set(flag.name, text);
  }
  return {
    files,
    required: (flag) => parsed(flag, given.get(flag.name) ?? flag.default),
    value: (flag) => {
      const text = given.get(flag.name);
      return text === undefined ? undefined : parsed(flag, text);
    },
  };
}

/** The only argument. Throws UsageError. */
export function onlyArgument(command: string, what: string, { files }: FileArguments): string {
  const [first, second] = files;
  if (first === undefined) throw new UsageError(`${command} takes one ${what}; see coxswain help ${command}`);
  if (second === undefined) return first;
  throw new UsageError(`${command} takes one ${what}, not ${JSON.stringify(second)} as well; see coxswain help ${command}`);
}

function flagOf(command: string, flags: readonly Flag<unknown>[], argument: string): { flag: Flag<unknown>; inline?: string } {
  const [, name = '', inline] = /^--?([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
  const flag = flags.find((each) => namesOf(each).includes(name));
  if (flag !== undefined) return inline === undefined ? { flag } : { flag, inline };
  const short = argument.startsWith('--') ? undefined : flags.find((each) => namesOf(each).includes(argument.charAt(1)));
  if (short !== undefined && short.alone === undefined) return { flag: short, inline: argument.slice(2) };
  const near = nearestName(name, flags.flatMap(namesOf));
  const hint = near === undefined ? `see coxswain help ${command}` : `did you mean ${dashed(near)}?`;
  throw new UsageError(`there is no flag ${argument.split('=', 1).join('')}; ${hint}`);
}

const namesOf = ({ name, alias }: Flag<unknown>): readonly string[] => (alias === undefined ? [name] : [name, alias]);

function parsed<Value>(flag: Flag<Value>, text: string): Value {
  try {
    return flag.parse(text);
  } catch (error) {
    throw new UsageError(`${dashed(flag.name)}: ${errorMessage(error)}`);
  }
}
