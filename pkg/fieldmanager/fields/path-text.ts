/** Paths as people read them, in conflicts: `.spec.containers[name="a"].image`. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, sortedNames } from '../../apimachinery/json/write-json.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { Path, PathElement } from './path-element.ts';
import { keysOf, valueOf } from './path-order.ts';

export const pathText = (path: Path): string => path.map(elementText).join('');

function elementText(element: PathElement): string {
  const text = element.slice(2);
  switch (element.charCodeAt(0)) {
    case 0x6b: {
      const keys = keysOf(element).map(([name, value]) => `${name}=${valueText(value)}`);
      return `[${keys.join(',')}]`;
    }
    case 0x76:
      return `[=${valueText(valueOf(element))}]`;
    case 0x69:
      return `[${text}]`;
    default:
      return `.${text}`;
  }
}

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number') return numberText(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (isArray(value)) return `[${value.map(valueText).join(',')}]`;
  return sortedNames(Object.keys(value))
    .map((name) => `${name}=${valueText((value as Readonly<Record<string, JsonValue>>)[name] ?? null)}`)
    .join('');
}

/** As Go prints a double: from 1e21 on and below 1e-4 with an exponent of two digits or more. */
function numberText(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e21)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
