import { isWholeQuantity, parseQuantity } from '../../../../apimachinery/quantity/quantity.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import { warning } from './warning.ts';

/** Warns of fractional amounts of bytes. `path`: that of the list. */
export function* warnOfFractions(
  amounts: Readonly<Record<string, string>> | undefined,
  counted: readonly string[],
  path: FieldPath,
): Generator<string> {
  if (amounts === undefined) return;
  for (const name of counted) {
    const amount = Object.hasOwn(amounts, name) ? amounts[name] : undefined;
    const quantity = amount === undefined ? undefined : parseQuantity(amount);
    if (quantity === undefined || isWholeQuantity(quantity)) continue;
    yield warning(path.key(name), `fractional byte value ${JSON.stringify(quantity.canonical)} is invalid, must be an integer`);
  }
}
