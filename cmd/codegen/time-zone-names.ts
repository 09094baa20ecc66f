/**
 * Writes pkg/apimachinery/time/time-zone-names.ts from a `tzdata.zi`:
 * `node_modules/.bin/node cmd/codegen/time-zone-names.ts <path of tzdata.zi>`.
 *
 * The file is part of the IANA release and of the Python and Debian packages `tzdata`, and is in the public domain. Not
 * part of `make generate`, whose output must not depend on installed packages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const TARGET = new URL('../../pkg/apimachinery/time/time-zone-names.ts', import.meta.url);
const LINE_LENGTH = 130;

/** `Z <name> …` starts a zone, `L <target> <name>` is a link. */
function namesOf(lines: readonly string[]): readonly string[] {
  const words = lines.map((line) => line.split(' '));
  return words.flatMap(([type, first, second]) => (type === 'Z' ? [first ?? ''] : type === 'L' ? [second ?? ''] : [])).sort();
}

function wrap(names: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const name of names) {
    if (line.length + name.length >= LINE_LENGTH) {
      lines.push(line);
      line = '';
    }
    line += `${line === '' ? '' : ' '}${name}`;
  }
  return [...lines, line].join('\n');
}

function main(source: string | undefined): void {
  if (source === undefined) throw new Error('usage: node_modules/.bin/node cmd/codegen/time-zone-names.ts <path of tzdata.zi>');
  const lines = readFileSync(source, 'utf8').split('\n');
  const version = /^# version (\S+)/.exec(lines[0] ?? '')?.[1];
  const names = namesOf(lines);
  if (version === undefined || names.length < 400) throw new Error(`${source} is not a tzdata.zi file`);
  const text = `/**
 * All zones and links of release ${version} of the IANA time zone database (public domain), for machines without one.
 * Written by \`node_modules/.bin/node cmd/codegen/time-zone-names.ts <path of tzdata.zi>\`; do not edit.
 * A newer \`tzdata.zi\` is in the Python package \`tzdata\` (\`pip download --no-deps tzdata\`, unpack).
 */
const NAMES = \`
${wrap(names)}
\`;

export const timeZoneNames = (): ReadonlySet<string> => new Set(NAMES.trim().split(/\\s/));
`;
  writeFileSync(TARGET, text);
}

main(process.argv[2]);
