/** Compares quantities as text. Nearly all real quantities fit a double, which takes a tenth of the time. */
import { compareQuantities, isWholeQuantity, parseQuantity } from './quantity.ts';

const SMALL = /^([0-9]{1,12})(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/;
const THOUSANDTHS: ReadonlyMap<string | undefined, number> = new Map([
  ['m', 1],
  [undefined, 1e3],
  ['k', 1e6],
  ['M', 1e9],
  ['G', 1e12],
  ['T', 1e15],
  ['Ki', 1e3 * 2 ** 10],
  ['Mi', 1e3 * 2 ** 20],
  ['Gi', 1e3 * 2 ** 30],
  ['Ti', 1e3 * 2 ** 40],
]);

/** Exact; undefined if the text does not match or the value does not fit a double. */
function thousandths(text: string): number | undefined {
  const match = SMALL.exec(text);
  const unit = THOUSANDTHS.get(match?.[2]);
  if (match === null || unit === undefined) return undefined;
  const amount = Number(match[1]) * unit;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Negative, zero or positive, like a comparator. Undefined if a text is invalid. */
export function compareQuantityTexts(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const [small, other] = [thousandths(a), thousandths(b)];
  if (small !== undefined && other !== undefined) return small - other;
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left === undefined || right === undefined ? undefined : compareQuantities(left, right);
}

/** Whether there is no fraction. Also true for invalid text. */
export function isWholeQuantityText(text: string): boolean {
  const amount = thousandths(text);
  if (amount !== undefined) return amount % 1000 === 0;
  const quantity = parseQuantity(text);
  return quantity === undefined || isWholeQuantity(quantity);
}
