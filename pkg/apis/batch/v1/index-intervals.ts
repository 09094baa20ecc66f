/** Texts such as `0,2-5`, which list indexes of an indexed Job. Both functions are linear in the length of a text. */
import { shownText } from '../../../apimachinery/status/causes.ts';
import { quotedText } from '../../../apimachinery/status/quoted-text.ts';

interface Interval {
  readonly first: number;
  readonly last: number;
}

/** How many indexes are listed, or what is wrong. `completions`: of the Job, above every index. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let count = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const { first, last } = interval;
    if (previous !== undefined && previous >= first) return notIncreasing(previous, first);
    count += last - first + 1;
    previous = last;
  }
  return count;
}

/** An index that two texts have in common. Wrong intervals are skipped: `countIndexes` reports them. */
export function commonIndex(left: string, right: string, completions: number): number | undefined {
  const lefts = intervalsIn(left, completions);
  const rights = intervalsIn(right, completions);
  let [a, b] = [lefts.next(), rights.next()];
  while (a.done !== true && b.done !== true) {
    if (a.value.first <= b.value.last && b.value.first <= a.value.last) return Math.max(a.value.first, b.value.first);
    if (a.value.first <= b.value.first) a = lefts.next();
    else b = rights.next();
  }
  return undefined;
}

function* intervalsIn(text: string, completions: number): Generator<Interval, undefined> {
  if (text === '') return;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval !== 'string') yield interval;
  }
}

function parseInterval(text: string, completions: number): Interval | string {
  const [firstText = '', lastText, ...more] = text.split('-');
  if (more.length > 0) {
    return `the fragment ${quoted(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const first = parseIndex(firstText, completions);
  if (typeof first === 'string' || lastText === undefined) return typeof first === 'string' ? first : { first, last: first };
  const last = parseIndex(lastText, completions);
  if (typeof last === 'string') return last;
  return first < last ? { first, last } : notIncreasing(first, last);
}

/** An int64 in decimal, up to leading zeros. */
const INTEGER = /^\+?0*(\d{1,19})$/;
const MAX_INT64 = 2n ** 63n - 1n;

function parseIndex(text: string, completions: number): number | string {
  const digits = INTEGER.exec(text)?.[1];
  if (digits === undefined || BigInt(digits) > MAX_INT64) return `cannot convert string to integer for index: ${quoted(text)}`;
  const index = Number(digits);
  return index < completions ? index : `too large index: ${quoted(text)}`;
}

const notIncreasing = (previous: number, current: number): string => `non-increasing order, previous: ${previous}, current: ${current}`;

const quoted = (text: string): string => quotedText(shownText(text));
