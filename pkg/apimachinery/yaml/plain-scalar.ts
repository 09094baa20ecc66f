/**
 * Resolves unquoted YAML scalars like Kubernetes' YAML reader (sigs.k8s.io/yaml over go-yaml 2): YAML 1.1 words such as
 * `yes` are booleans, times are strings, and there are no base-60 numbers.
 */

/** The JSON text of a scalar; numbers keep their digits. Undefined for a string. */
export type ScalarText = { readonly type: 'null' | 'boolean' | 'number' | 'not-a-number'; readonly json: string } | undefined;

const NULL: ScalarText = { type: 'null', json: 'null' };
const TRUE: ScalarText = { type: 'boolean', json: 'true' };
const FALSE: ScalarText = { type: 'boolean', json: 'false' };
const NOT_A_NUMBER: ScalarText = { type: 'not-a-number', json: 'null' };

const spellings = (word: string) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];
const resolveAs = (words: readonly string[], text: ScalarText): [string, ScalarText][] =>
  words.flatMap((word) => spellings(word).map((spelling): [string, ScalarText] => [spelling, text]));

const WORDS = new Map<string, ScalarText>([
  ...resolveAs(['', '~', 'null'], NULL),
  ...resolveAs(['y', 'yes', 'true', 'on'], TRUE),
  ...resolveAs(['n', 'no', 'false', 'off'], FALSE),
  ...['.nan', '.NaN', '.NAN'].map((word): [string, ScalarText] => [word, NOT_A_NUMBER]),
  ...['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word): [string, ScalarText] => [sign + word, NOT_A_NUMBER])),
]);

const DECIMAL = /^[-+]?(0|[1-9][0-9]*)$/;
const OTHER_BASE = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+)$/;
/** 64 binary digits and the prefix. Longer ones are not integers in go-yaml either, and converting them is slow. */
const MAX_OTHER_BASE = 66;
const FLOAT = /^([-+]?)([0-9]*)(?:\.([0-9]*))?([eE][-+]?[0-9]+)?$/;

export function resolvePlain(text: string): ScalarText {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  const startsNumber = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e;
  if (!startsNumber) return undefined;
  const json = numberText(first === 0x2e ? text : text.replaceAll('_', ''));
  return json === undefined ? undefined : { type: 'number', json };
}

/** The number in JSON syntax; undefined if it is not a number. */
function numberText(text: string): string | undefined {
  if (DECIMAL.test(text)) return text.startsWith('+') ? text.slice(1) : text;
  const [, sign = '', digits] = OTHER_BASE.exec(text) ?? [];
  if (digits !== undefined && digits.length <= MAX_OTHER_BASE) {
    // A leading zero means octal, with or without the `o`.
    const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
    return sign === '-' ? `-${value}` : `${value}`;
  }
  const [whole, minus = '', before = '', after = '', exponent = ''] = FLOAT.exec(text) ?? [];
  if (whole === undefined || (before === '' && after === '')) return undefined;
  const json = `${minus === '-' ? '-' : ''}${before.replace(/^0+(?=[0-9])/, '') || '0'}${after === '' ? '' : `.${after}`}${exponent}`;
  return Number.isFinite(Number(json)) || exponent === '' ? json : undefined;
}

/** The same for a scalar with a core tag. Undefined if the tag is unknown or the text does not have its type. */
export function resolveTagged(text: string, tag: string): { readonly json: string } | undefined {
  const resolved = resolvePlain(text);
  switch (tag) {
    case 'tag:yaml.org,2002:str':
    case '!':
      return { json: JSON.stringify(text) };
    case 'tag:yaml.org,2002:null':
      return resolved?.type === 'null' ? resolved : undefined;
    case 'tag:yaml.org,2002:bool':
      return resolved?.type === 'boolean' ? resolved : undefined;
    case 'tag:yaml.org,2002:int':
      return resolved?.type === 'number' && !/[.eE]/.test(resolved.json) ? resolved : undefined;
    case 'tag:yaml.org,2002:float':
      return resolved?.type === 'number' ? resolved : undefined;
    default:
      return undefined;
  }
}
