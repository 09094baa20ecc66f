/** Flags of the `config` commands, one table each. */
import { parseFeatureGates } from '../../../pkg/config/controllers/feature-gates.ts';
import type { SpellingName } from '../../../pkg/config/spelling/convert-spelling.ts';
import { booleanFlag, domain, oneOf, text } from '../flag-parsers.ts';
import { optional, withDefault } from '../flag.ts';

const CHECK_FORMATS = ['human', 'json', 'sarif', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

const OUTPUT = { name: 'o', alias: 'output' } as const;

const groupSuffix = optional({
  name: 'group-suffix',
  placeholder: 'DOMAIN',
  help: 'Required suffix of the group in apiVersion. Default: any.',
  parse: domain,
});

const featureGates = optional({
  name: 'feature-gates',
  placeholder: 'NAME=BOOL,…',
  help: 'Feature gates of the component. Others have the defaults of the release.',
  parse: parseFeatureGates,
});

const color = withDefault({
  name: 'color',
  placeholder: COLOR_CHOICES.join('|'),
  help: 'Whether to use colors. auto: on a terminal, unless NO_COLOR is set.',
  default: 'auto',
  parse: oneOf(...COLOR_CHOICES),
});

export const CHECK_FLAGS = {
  output: withDefault({
    ...OUTPUT,
    placeholder: CHECK_FORMATS.join('|'),
    help: 'Format of problems. json: one array; sarif: for code scanning; github: workflow annotations.',
    default: 'human',
    parse: oneOf(...CHECK_FORMATS),
  }),
  strict: booleanFlag({
    name: 'strict',
    help: 'Whether warnings count as errors for the exit code.',
    default: 'false',
  }),
  checkFiles: booleanFlag({
    name: 'check-files',
    help: 'Whether to check that the certificates and keys named in a file exist and are valid. Relative paths start at the current directory.',
    default: 'false',
  }),
  groupSuffix,
  featureGates,
  color,
} as const;

const output = withDefault({
  ...OUTPUT,
  placeholder: 'yaml|json',
  help: 'Output format. json: one object, or an array for a file with several documents.',
  default: 'yaml',
  parse: oneOf('yaml', 'json'),
});

const table = withDefault({
  ...OUTPUT,
  placeholder: 'text|json',
  help: 'Output format.',
  default: 'text',
  parse: oneOf('text', 'json'),
});

export const DEFAULTS_FLAGS = {
  output: { ...output, help: 'Output format.' },
  comments: booleanFlag({
    name: 'comments',
    help: 'Whether to add comments with the description of each field and the source of its default. Not for JSON.',
    default: 'true',
  }),
  groupSuffix: { ...groupSuffix, help: 'Suffix of the group in apiVersion. Default: that of a server with default settings.' },
} as const;

export const VIEW_FLAGS = {
  output,
  onlyChanged: booleanFlag({
    name: 'only-changed',
    help: 'Whether to show only values that differ from their default.',
    default: 'false',
  }),
  color,
} as const;

export const EXPLAIN_FLAGS = {
  recursive: booleanFlag({
    name: 'recursive',
    help: 'Whether to list nested fields.',
    default: 'false',
  }),
} as const;

export const DIFF_FLAGS = { output: table, color } as const;

const migrationFile = optional({
  name: 'leader-migration-config',
  placeholder: 'FILE',
  help: 'Separate file of the component with its LeaderMigrationConfiguration.',
  parse: text,
});
export const FLAGS_FLAGS = { output: table, featureGates, migrationFile, color } as const;
export const ENABLED_FLAGS = { output: table, featureGates, migrationFile, color } as const;

export const CONVERT_FLAGS = {
  to: withDefault({
    name: 'to',
    placeholder: 'current|old',
    help: 'current: the names of this API; old: those of the original components.',
    default: 'current',
    parse: oneOf<SpellingName>('current', 'old'),
  }),
  write: booleanFlag({
    name: 'write',
    alias: 'w',
    help: 'Whether to rewrite files in place, atomically and with their permissions. Files that cannot be converted completely stay unchanged.',
    default: 'false',
  }),
  color,
} as const;
