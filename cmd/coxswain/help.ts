import { COMMANDS } from './commands.ts';
import type { Command } from './commands.ts';
import { dashed, UsageError } from './flag.ts';

const LINE_WIDTH = 100;
const FLAG_INDENT = 6;

/** The text of `coxswain help`, or of `coxswain help <command>`. Throws UsageError for a command that there is not. */
export function helpText(name?: string): string {
  if (name === undefined) return overview();
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}; see coxswain help.`);
  return commandHelp(command);
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ usage }) => usage.length));
  const lines = COMMANDS.map(({ usage, summary }) => `  coxswain ${usage.padEnd(width)}   ${summary}\n`);
  return `coxswain: the cluster control-plane API as one small server

Usage:
${lines.join('')}
"coxswain help serve" lists the flags of serve; "coxswain serve" alone is all it takes to begin.
`;
}

function commandHelp({ usage, summary, details, flags }: Command): string {
  const paragraphs = details.map((paragraph) => `\n${wrap(paragraph, 0)}\n`);
  const list = flags.map((flag) => {
    const fallback = flag.default === undefined || flag.default === '' ? '' : ` Default: ${flag.default}.`;
    return `  ${dashed(flag.name)} ${flag.placeholder}\n${wrap(flag.help + fallback, FLAG_INDENT)}\n`;
  });
  return `coxswain ${usage}: ${summary}\n${paragraphs.join('')}${list.length === 0 ? '' : `\nFlags:\n${list.join('')}`}`;
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_WIDTH - indent) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each).join('\n');
}
