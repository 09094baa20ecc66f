/** Flags of the `config` commands, one table each. */
import { parseFeatureGates } from '../../../pkg/config/controllers/feature-gates.ts';
import type { SpellingName } from '../../../pkg/config/spelling/convert-spelling.ts';
import { boolean, domain, text } from '../flag-parsers.ts';
import { optional, withDefault } from '../flag.ts';

export const CHECK_FORMATS = ['human', 'json', 'sarif', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const PRINT_FORMATS = ['yaml', 'json'] as const;
export type PrintFormat = (typeof PRINT_FORMATS)[number];

const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (given: string): Value => {
    const value = values.find((each) => each === given);
    if (value === undefined) throw new Error(`${JSON.stringify(given)} is not one of ${values.join(', ')}`);
    return value;
  };

const OUTPUT = { name: 'o', alias: 'output' } as const;

const groupSuffix = optional({
  name: 'group-suffix',
  placeholder: 'DOMAIN',
  help: 'The only suffix that the group of an apiVersion may have. Without it any.',
  parse: domain,
});

const featureGates = optional({
  name: 'feature-gates',
  placeholder: 'NAME=BOOL,…',
  help: 'Feature gates that the component is given. Others have the defaults of the release.',
  parse: parseFeatureGates,
});

const color = withDefault({
  name: 'color',
  placeholder: COLOR_CHOICES.join('|'),
  help: 'Whether there are colours. auto: on a terminal, unless NO_COLOR stands in the environment.',
  default: 'auto',
  parse: oneOf(COLOR_CHOICES),
});

export const CHECK_FLAGS = {
  output: withDefault({
    ...OUTPUT,
    placeholder: CHECK_FORMATS.join('|'),
    help: 'How problems are written. json: one array; sarif: for code scanning; github: annotations of a workflow.',
    default: 'human',
    parse: oneOf(CHECK_FORMATS),
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
  featureGates,
  color,
} as const;

const output = withDefault({
  ...OUTPUT,
  placeholder: PRINT_FORMATS.join('|'),
  help: 'How documents are written. json: one object, or an array when a file holds several documents.',
  default: 'yaml',
  parse: oneOf(PRINT_FORMATS),
});

const table = withDefault({
  ...OUTPUT,
  placeholder: 'text|json',
  help: 'How the list is written.',
  default: 'text',
  parse: oneOf<'text' | 'json'>(['text', 'json']),
});

export const DEFAULTS_FLAGS = {
  output: { ...output, help: 'How the document is written.' },
  comments: withDefault({
    name: 'comments',
    placeholder: 'BOOL',
    help: 'Whether comments say what each field is and where its default comes from. JSON has none.',
    default: 'true',
    alone: 'true',
    parse: boolean,
  }),
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
  color,
} as const;

export const EXPLAIN_FLAGS = {
  recursive: withDefault({
    name: 'recursive',
    placeholder: 'BOOL',
    help: 'Whether the fields of fields are listed as well.',
    default: 'false',
    alone: 'true',
    parse: boolean,
  }),
} as const;

export const DIFF_FLAGS = { output: table, color } as const;

const migrationFile = optional({
  name: 'leader-migration-config',
  placeholder: 'FILE',
  help: 'File of its own in which the component will find the LeaderMigrationConfiguration.',
  parse: text,
});
export const FLAGS_FLAGS = { output: table, featureGates, migrationFile, color } as const;
export const ENABLED_FLAGS = { output: table, featureGates, migrationFile, color } as const;

export const CONVERT_FLAGS = {
  to: withDefault({
    name: 'to',
    placeholder: 'current|old',
    help: 'current: the names of this API; old: those of files written for the original components.',
    default: 'current',
    parse: oneOf<SpellingName>(['current', 'old']),
  }),
  write: withDefault({
    name: 'write',
    alias: 'w',
    placeholder: 'BOOL',
    help: 'Whether files are rewritten in place, each at once and with its permissions. A file of which something cannot be converted is left alone.',
    default: 'false',
    alone: 'true',
    parse: boolean,
  }),
  color,
} as const;
