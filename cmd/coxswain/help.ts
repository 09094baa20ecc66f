import { type Command, COMMANDS } from './commands.ts';
import { usageOf, UsageError } from './flag.ts';

const LINE_WIDTH = 100;
const FLAG_INDENT = 6;

/** The text of `coxswain help [command]`, at most 100 columns wide. Throws UsageError for an unknown command. */
export function helpIn(columns: number, [first, second]: readonly string[]): string {
  const width = Math.min(columns, LINE_WIDTH);
  if (first === undefined) return overview(width);
  const command = COMMANDS.find(({ name }) => name === `${first} ${second ?? ''}`) ?? COMMANDS.find(({ name }) => name === first);
  if (command !== undefined) return commandHelp(command, width);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw new UsageError(`there is no command ${JSON.stringify(first)}; see coxswain help`);
  return `coxswain ${first}:\n${listOf(group, width)}`;
}

/** On a narrow terminal, summaries go below their commands. */
function listOf(commands: readonly Command[], width: number): string {
  const usageWidth = Math.max(...commands.map(({ usage }) => usage.length));
  if (width < LINE_WIDTH)
    return commands.map(({ usage, summary }) => `  coxswain ${usage}\n${wrap(summary, FLAG_INDENT, width)}\n`).join('');
  return commands.map(({ usage, summary }) => `  coxswain ${usage.padEnd(usageWidth)}   ${summary}\n`).join('');
}

function overview(width: number): string {
  return `coxswain: the cluster control-plane API as one small server

Usage:
${listOf(COMMANDS, width)}
${wrap('"coxswain help serve" lists the flags of serve; "coxswain serve" alone is all it takes to begin.', 0, width)}
`;
}

function commandHelp({ usage, summary, details, flags }: Command, width: number): string {
  const paragraphs = details.map((paragraph) => `\n${wrap(paragraph, 0, width)}\n`);
  const list = flags.map((flag) => {
    const fallback = flag.default === undefined || flag.default === '' ? '' : ` Default: ${flag.default}.`;
    return `  ${usageOf(flag)}\n${wrap(flag.help + fallback, FLAG_INDENT, width)}\n`;
  });
  return `coxswain ${usage}: ${summary}\n${paragraphs.join('')}${list.length === 0 ? '' : `\nFlags:\n${list.join('')}`}`;
}

/** Wraps at `width` columns including `indent` spaces. Does not break words. */
export function wrap(text: string, indent: number, width = LINE_WIDTH): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width - indent) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each).join('\n');
}
