/** What may come next on a command line, for the scripts of `coxswain completion`. */
import { CONFIG_KINDS } from '../../pkg/config/kinds/kinds.gen.ts';
import { shapeNamed } from '../../pkg/config/read/field-names.ts';
import { kindNamed } from '../../pkg/config/read/identify.ts';
import type { ConfigShape } from '../../pkg/config/kinds/config-kind.ts';
import { COMMANDS } from './commands.ts';
import type { Command } from './commands.ts';
import { SHELLS } from './completion-script.ts';
import { dashed } from './flag.ts';

interface Candidate {
  readonly word: string;
  readonly summary: string;
}

/** Stands for the names of files. */
const FILES: Candidate = { word: ':files', summary: '' };

/** `words`: those behind `coxswain`; the last one is being written, and may be empty. One line each, a summary behind a tab. Never throws. */
export function completionLines(words: readonly string[]): string {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const fitting = candidates(before, current).filter(({ word }) => word === FILES.word || word.startsWith(current));
  return fitting.map(({ word, summary }) => (summary === '' ? `${word}\n` : `${word}\t${summary}\n`)).join('');
}

function candidates(before: readonly string[], current: string): readonly Candidate[] {
  const names = before.filter((word) => !word.startsWith('-'));
  const command = COMMANDS.find(({ name }) => name === names.slice(0, 2).join(' ')) ?? COMMANDS.find(({ name }) => name === names[0]);
  if (command === undefined) return names.length > 1 ? [] : commandWords(names[0]);
  const asked = command.flags.find(({ name, alone }) => alone === undefined && dashed(name) === before.at(-1));
  if (asked !== undefined) return valuesOf(asked.placeholder);
  if (current.startsWith('-')) return command.flags.map(({ name, help }) => ({ word: dashed(name), summary: firstSentence(help) }));
  return argumentsOf(command, current);
}

function commandWords(group: string | undefined): readonly Candidate[] {
  if (group !== undefined) {
    return COMMANDS.filter(({ name }) => name.startsWith(`${group} `)).map(({ name, summary }) => ({
      word: name.slice(group.length + 1),
      summary,
    }));
  }
  const single = COMMANDS.filter(({ name }) => !name.includes(' ')).map(({ name, summary }) => ({ word: name, summary }));
  return [...single, { word: 'config', summary: 'check, print and compare configurations of the controller managers' }];
}

/** `human|json` is a choice; `FILE` and its like are files. */
function valuesOf(placeholder: string): readonly Candidate[] {
  if (placeholder.includes('|')) return placeholder.split('|').map((word) => ({ word, summary: '' }));
  return placeholder === 'BOOL'
    ? [
        { word: 'true', summary: '' },
        { word: 'false', summary: '' },
      ]
    : [FILES];
}

function argumentsOf({ name, usage }: Command, current: string): readonly Candidate[] {
  const kinds = CONFIG_KINDS.map(({ kind }) => ({ word: kind, summary: '' }));
  if (name === 'completion') return SHELLS.map((word) => ({ word, summary: '' }));
  if (name === 'config defaults') return kinds;
  if (name === 'config explain') return [...kinds, ...pathsBelow(current)];
  return /FILE| A B$/.test(usage) ? [FILES] : [];
}

/** The fields of the object that is named so far. */
function pathsBelow(current: string): readonly Candidate[] {
  const [kindName = '', ...names] = current.split('.').slice(0, -1);
  const kind = kindNamed(kindName)?.kind.kind;
  let shape: ConfigShape | undefined = kind === undefined ? undefined : shapeNamed(kind);
  for (const name of names) {
    const inner: string | undefined = shape?.fields.find((field) => field.name === name)?.shape;
    shape = inner === undefined ? undefined : shapeNamed(inner);
  }
  const within = [kindName, ...names].join('.');
  return (shape?.fields ?? []).map(({ name, description }) => ({ word: `${within}.${name}`, summary: firstSentence(description) }));
}

const firstSentence = (text: string): string => (/^.*?[.](?= |$)/.exec(text)?.[0] ?? text).replaceAll(/[`\t\n]/g, '');
