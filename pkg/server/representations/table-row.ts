import { humanDuration, nextHumanDuration } from '../../apimachinery/time/human-duration.ts';
import type { TableCell } from '../../apis/kind.ts';
import type { ItemTemplate } from '../../watchcache/representations/representation.ts';

/** Placeholder of an age in the cells; never occurs in JSON text. */
const AGE_PLACEHOLDER = '\0';
const UNKNOWN = '"<unknown>"';
const MAX_AGE_CHARACTERS = 12;
const MAX_UTF8_BYTES = 3;
/** Approximate memory of a row besides its text. */
const ROW_BYTES = 112;

/** The constant parts of rows. */
export interface RowFormat {
  /** Before the cells. */
  readonly start: string;
  /** Between cells and object. */
  readonly middle: string;
  /** After the object. */
  readonly end: string;
}

/** Cells as JSON text with placeholders for ages, and the length of the object's copied part. */
export class TableRow implements ItemTemplate {
  readonly #format: RowFormat;
  readonly #cells: string;
  readonly #ages: number | readonly number[];
  /** 0: no part of the object. */
  readonly #objectEnd: number;

  constructor(format: RowFormat, cells: readonly TableCell[], objectEnd: number) {
    const ages: number[] = [];
    const texts = cells.map((cell) => {
      if (typeof cell === 'string') return JSON.stringify(cell);
      if (typeof cell !== 'object') return String(cell);
      if (cell.age === undefined) return UNKNOWN;
      ages.push(cell.age);
      return `"${AGE_PLACEHOLDER}"`;
    });
    const [only] = ages;
    this.#format = format;
    this.#cells = texts.join(',');
    this.#ages = only !== undefined && ages.length === 1 ? only : ages;
    this.#objectEnd = objectEnd;
  }

  get cost(): number {
    return ROW_BYTES + this.#cells.length;
  }

  get maxBytes(): number {
    const { start, middle, end } = this.#format;
    const ages = typeof this.#ages === 'number' ? 1 : this.#ages.length;
    return start.length + middle.length + end.length + this.#cells.length * MAX_UTF8_BYTES + ages * MAX_AGE_CHARACTERS + this.#objectEnd;
  }

  writeTo(target: Buffer, offset: number, itemBytes: Buffer, at: number): number {
    const { start, middle, end } = this.#format;
    let next = offset + target.write(start + this.#cellsAt(at) + middle, offset);
    if (this.#objectEnd > 0) next += itemBytes.copy(target, next, 1, this.#objectEnd);
    return next + target.write(end, next, 'latin1');
  }

  validUntil(at: number): number {
    const until = (age: number) => age + nextHumanDuration(at - age);
    return typeof this.#ages === 'number' ? until(this.#ages) : Math.min(Infinity, ...this.#ages.map(until));
  }

  #cellsAt(at: number): string {
    const cells = this.#cells;
    if (typeof this.#ages === 'number') {
      const placeholder = cells.indexOf(AGE_PLACEHOLDER);
      return cells.slice(0, placeholder) + humanDuration(at - this.#ages) + cells.slice(placeholder + 1);
    }
    let text = '';
    let from = 0;
    for (const age of this.#ages) {
      const placeholder = cells.indexOf(AGE_PLACEHOLDER, from);
      text += cells.slice(from, placeholder) + humanDuration(at - age);
      from = placeholder + 1;
    }
    return text + cells.slice(from);
  }
}
