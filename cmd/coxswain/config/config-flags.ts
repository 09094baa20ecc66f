/** The flags of the `config` commands: one table for each. */
import { boolean, domain } from '../flag-parsers.ts';
import { optional, withDefault } from '../flag.ts';

export const CHECK_FORMATS = ['human', 'json', 'sarif', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

function checkFormat(value: string): CheckFormat {
  const format = CHECK_FORMATS.find((each) => each === value);
  if (format === undefined) throw new Error(`${JSON.stringify(value)} is not one of ${CHECK_FORMATS.join(', ')}`);
  return format;
}

export const PRINT_FORMATS = ['yaml', 'json'] as const;
export type PrintFormat = (typeof PRINT_FORMATS)[number];

function printFormat(value: string): PrintFormat {
  const format = PRINT_FORMATS.find((each) => each === value);
  if (format === undefined) throw new Error(`${JSON.stringify(value)} is not one of ${PRINT_FORMATS.join(', ')}`);
  return format;
}

function tableFormat(value: string): 'text' | 'json' {
  if (value === 'text' || value === 'json') return value;
  throw new Error(`${JSON.stringify(value)} is not one of text, json`);
}

function spelling(value: string): 'current' | 'old' {
  if (value === 'current' || value === 'old') return value;
  throw new Error(`${JSON.stringify(value)} is not one of current, old`);
}

const groupSuffix = optional({
  name: 'group-suffix',
  placeholder: 'DOMAIN',
  help: 'The only suffix that the group of an apiVersion may have. Without it any.',
  parse: domain,
});

export const CHECK_FLAGS = {
  output: withDefault({
    name: 'o',
    placeholder: CHECK_FORMATS.join('|'),
    help: 'How problems are written. json: one array; sarif: for code scanning; github: annotations of a workflow.',
    default: 'human',
    parse: checkFormat,
  }),
  strict: withDefault({
    name: 'strict',
    placeholder: 'BOOL',
    help: 'Whether warnings count as errors for the exit code.',
    default: 'false',
    alone: 'true',
    parse: boolean,
  }),
  checkFiles: withDefault({
    name: 'check-files',
    placeholder: 'BOOL',
    help: 'Whether the certificates and keys that a file names must exist and be of the right kind. Relative paths count from the current folder.',
    default: 'false',
    alone: 'true',
    parse: boolean,
  }),
  groupSuffix,
} as const;

const output = withDefault({
  name: 'o',
  placeholder: PRINT_FORMATS.join('|'),
  help: 'How documents are written.',
  default: 'yaml',
  parse: printFormat,
});

const table = withDefault({
  name: 'o',
  placeholder: 'text|json',
  help: 'How the list is written.',
  default: 'text',
  parse: tableFormat,
});

export const DEFAULTS_FLAGS = {
  output,
  groupSuffix: { ...groupSuffix, help: 'Suffix of the group in apiVersion. Without it that of a server without settings.' },
} as const;

export const VIEW_FLAGS = {
  output,
  onlyChanged: withDefault({
    name: 'only-changed',
    placeholder: 'BOOL',
    help: 'Whether only what is not the default is shown.',
    default: 'false',
    alone: 'true',
    parse: boolean,
  }),
} as const;

export const DIFF_FLAGS = { output: table } as const;
export const ENABLED_FLAGS = { output: table } as const;

export const CONVERT_FLAGS = {
  to: withDefault({
    name: 'to',
    placeholder: 'current|old',
    help: 'current: the names of this API; old: those of files written for the original components.',
    default: 'current',
    parse: spelling,
  }),
} as const;
