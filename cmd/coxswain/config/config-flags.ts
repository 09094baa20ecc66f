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
  groupSuffix,
} as const;
