/** Paths for messages about conflicts: `.spec.containers[name="a"].image`. */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import { isArray, isJsonObject, sortedNames } from '../../apimachinery/json/write-json.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { elementKeys, elementValue } from './element-value.ts';
import type { Path, PathElement } from './path-element.ts';

export const pathText = (path: Path): string => path.map(elementText).join('');

function elementText(element: PathElement): string {
  const text = element.slice(2);
  switch (element.charCodeAt(0)) {
    case 0x6b: {
      const keys = elementKeys(element).map(([name, value]) => `${name}=${valueText(value)}`);
      return `[${keys.join(',')}]`;
    }
    case 0x76:
      return `[=${valueText(elementValue(element))}]`;
    case 0x69:
      return `[${text}]`;
    default:
      return `.${text}`;
  }
}

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(Number(value));
  if (value === null || typeof value === 'boolean') return String(value);
  if (isArray(value)) return `[${value.map(valueText).join(',')}]`;
  return isJsonObject(value)
    ? sortedNames(Object.keys(value))
        .map((name) => `${name}=${valueText(value[name] ?? null)}`)
        .join('')
    : '';
}

/** Formats like Go's `%v`: with an exponent of at least two digits from 1e6 on and below 1e-4. */
function numberText(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
