import { dashed, environmentName, SERVE_FLAGS } from './flags.ts';

const COMMANDS = `coxswain: the cluster control-plane API as one small server

Usage:
  coxswain serve [flags]   run the server
  coxswain version         print the version
  coxswain help            print this text

Flags of serve, each also as environment variable (--etcd-servers: ${environmentName('etcd-servers')})
and by name in the file that --config gives; command line before environment before file:
`;

const LINE_WIDTH = 100;
const INDENT = 6;

/** The whole text of `coxswain help`. */
export function helpText(): string {
  const flags = Object.values(SERVE_FLAGS).map((flag) => {
    const fallback = 'default' in flag && flag.default !== '' ? ` Default: ${flag.default}.` : '';
    return `  ${dashed(flag.name)} ${flag.placeholder}\n${wrap(flag.help + fallback)}`;
  });
  return `${COMMANDS}${flags.join('\n')}\n`;
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_WIDTH - INDENT) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ' '.repeat(INDENT) + each).join('\n');
}
