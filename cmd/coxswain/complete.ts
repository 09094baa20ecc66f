/** Candidates for the next word of a command line, for the scripts of `coxswain completion`. */
import { CONFIG_KINDS, CONFIG_SHAPES } from '../../pkg/config/kinds/kinds.gen.ts';
import { fieldNamed, shapeNamed } from '../../pkg/config/read/field-names.ts';
import { kindNamed } from '../../pkg/config/read/type-meta.ts';
import type { ConfigShape } from '../../pkg/config/kinds/config-kind.ts';
import { type Command, COMMANDS } from './commands.ts';
import { SHELLS } from './completion-script.ts';
import { dashed, type Flag } from './flag.ts';

interface Candidate {
  readonly word: string;
  readonly summary: string;
  /** The word may continue, so no space is added. */
  readonly isOpen?: boolean;
}

/** Stands for file names. */
const FILES: Candidate = { word: ':files', summary: '' };
/** Suppresses the space after a word. */
const NO_SPACE = ':nospace';

/**
 * `words`: after `coxswain`; the last one is incomplete and may be empty. Returns one candidate per line, with a
 * summary after a tab. `:files` stands for file names; `:nospace` comes first when words may continue. Never throws.
 */
export function completionLines(words: readonly string[]): string {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const fitting = candidates(before, current).filter(({ word }) => word === FILES.word || word.startsWith(current));
  const lines = fitting.map(({ word, summary }) => (summary === '' ? `${word}\n` : `${word}\t${summary}\n`));
  return `${fitting.some(({ isOpen }) => isOpen) ? `${NO_SPACE}\n` : ''}${lines.join('')}`;
}

function candidates(before: readonly string[], current: string): readonly Candidate[] {
  const names = before.filter((word) => !word.startsWith('-'));
  const command = COMMANDS.find(({ name }) => name === names.slice(0, 2).join(' ')) ?? COMMANDS.find(({ name }) => name === names[0]);
  if (command === undefined) return names.length > 1 ? [] : commandWords(names[0]);
  if (command.name === 'help') return names.length > 2 ? [] : commandWords(names[1]);
  if (before.includes('--')) return argumentsOf(command, current);
  const previousFlag = flagNamed(command, before.at(-1) ?? '');
  if (previousFlag !== undefined && previousFlag.alone === undefined) return valuesOf(previousFlag);
  if (!current.startsWith('-')) return argumentsOf(command, current);
  const [name = '', ...value] = current.split('=');
  const given = value.length === 0 ? undefined : flagNamed(command, name);
  if (given !== undefined) return valuesOf(given).map((each) => (each === FILES ? each : { ...each, word: `${name}=${each.word}` }));
  return command.flags.flatMap((flag) => namesOf(flag).map((word) => ({ word, summary: firstSentence(flag.help) })));
}

const namesOf = ({ name, alias }: Flag<unknown>): readonly string[] => [name, ...(alias === undefined ? [] : [alias])].map(dashed);

const flagNamed = ({ flags }: Command, word: string): Flag<unknown> | undefined => flags.find((flag) => namesOf(flag).includes(word));

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

/** Placeholders of file names. */
const FILE_PLACEHOLDERS: ReadonlySet<string> = new Set(['FILE', 'DIR']);

/** `human|json` is a choice; names and numbers have no candidates. */
function valuesOf({ placeholder }: Flag<unknown>): readonly Candidate[] {
  if (placeholder.includes('|')) return placeholder.split('|').map((word) => ({ word, summary: '' }));
  if (placeholder === 'BOOL') return ['true', 'false'].map((word) => ({ word, summary: '' }));
  return FILE_PLACEHOLDERS.has(placeholder) ? [FILES] : [];
}

function argumentsOf({ name, usage }: Command, current: string): readonly Candidate[] {
  if (name === 'completion') return SHELLS.map((word) => ({ word, summary: '' }));
  if (name === 'config defaults') return CONFIG_KINDS.map(({ kind }) => ({ word: kind, summary: summaryOf(kind) }));
  if (name === 'config explain') return current.includes('.') ? pathsBelow(current) : shapeNames(current);
  return /FILE| A B$/.test(usage) ? [FILES] : [];
}

/** Documents first; inner kinds and old names once a prefix is typed. */
function shapeNames(current: string): readonly Candidate[] {
  const documents = CONFIG_KINDS.flatMap(({ kind, oldKind }) => (current === '' || oldKind === undefined ? [kind] : [kind, oldKind]));
  const names = current === '' ? documents : new Set([...documents, ...Object.keys(CONFIG_SHAPES)]);
  return [...names].map((word) => ({ word, summary: summaryOf(kindNamed(word)?.kind.kind ?? word), isOpen: true }));
}

const summaryOf = (shape: string): string => firstSentence(CONFIG_SHAPES[shape]?.description ?? '');

/** Fields of the named object, including old names that match the prefix. */
function pathsBelow(current: string): readonly Candidate[] {
  const parts = current.split('.');
  const [kindName = '', ...names] = parts.slice(0, -1);
  const begun = parts.at(-1) ?? '';
  let shape: ConfigShape | undefined = CONFIG_SHAPES[kindNamed(kindName)?.kind.kind ?? kindName];
  for (const name of names) {
    const inner = shape === undefined ? undefined : fieldNamed(shape, name)?.field.shape;
    shape = inner === undefined ? undefined : shapeNamed(inner);
  }
  const within = [kindName, ...names].join('.');
  return (shape?.fields ?? []).flatMap(({ name, oldName, description, shape: inner }) => {
    const spellings = oldName !== undefined && begun !== '' && oldName.startsWith(begun) ? [name, oldName] : [name];
    return spellings.map((each) => ({ word: `${within}.${each}`, summary: firstSentence(description), isOpen: inner !== undefined }));
  });
}

const firstSentence = (text: string): string => (/^.*?[.](?= |$)/.exec(text)?.[0] ?? text).replaceAll(/[`\t\n]/g, '');
