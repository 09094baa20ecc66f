/**
 * Formats Markdown with one sentence per line and prose wrapped at 120 columns. Tables, headings, comments, quotes and
 * code are unchanged. Idempotent.
 */
const WIDTH = 120;
/** A line must not start with these: it would become a list, a heading or a quote. */
const MARKER = /^(?:[-+*>]|#{1,6}|\d+[.)])$/;
const VERBATIM = /^(?:\||#{1,6} |<|>|---)/;
/** Not after bold text: it introduces the text that follows. */
const SENTENCE_END = /[.!?][)\]"'`_]*$/;
const SENTENCE_START = /^[(["'`*_]*(?:[A-Z0-9]|\[|[-\w]*`|[\w.]+\()/;

export function toSentenceLines(markdown: string): string {
  const lines: string[] = [];
  let words: string[] = [];
  let first = '';
  let fence = '';
  const endParagraph = () => {
    if (words.length > 0) lines.push(...linesOf(words, first));
    words = [];
    first = '';
  };
  for (const line of markdown.split('\n')) {
    const [, opened = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== '' || opened !== '' || line.trim() === '' || VERBATIM.test(line)) {
      endParagraph();
      lines.push(line);
      if (fence === '') fence = opened;
      else if (line.trim() === fence) fence = '';
      continue;
    }
    const [, item = '', text = ''] = /^(\s*(?:[-+*]|\d+[.)])\s+)?(.*)$/.exec(line) ?? [];
    if (item !== '') {
      endParagraph();
      first = item;
    } else if (words.length === 0) {
      first = /^\s*/.exec(line)?.[0] ?? '';
    }
    words.push(...wordsOf(text));
  }
  endParagraph();
  return lines.join('\n');
}

/** Code and links count as one word even if they contain spaces. */
const wordsOf = (text: string): readonly string[] => text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s`])+|`/g) ?? [];

function linesOf(words: readonly string[], first: string): readonly string[] {
  const indent = ' '.repeat(first.length);
  const lines: string[] = [];
  let line = first;
  let isBlank = true;
  for (const [index, word] of words.entries()) {
    const before = words[index - 1] ?? '';
    const isNewSentence = SENTENCE_END.test(before) && SENTENCE_START.test(word);
    const isTooWide = line.length + 1 + word.length > WIDTH;
    if (!isBlank && !MARKER.test(word) && (isNewSentence || isTooWide)) {
      lines.push(line);
      line = indent;
      isBlank = true;
    }
    line += isBlank ? word : ` ${word}`;
    isBlank = false;
  }
  return [...lines, line];
}
