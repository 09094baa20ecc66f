/** Reads one value by the type of its field. Rules check valid types further. */
import { formatDuration, parseDuration } from '../../apimachinery/time/duration.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigField } from '../kinds/config-kind.ts';
import type { SourceNode, SourceScalar } from '../source/source-node.ts';

export type ReadScalar = { readonly value: string | number | boolean } | { readonly reason: string; readonly message: string };

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;
/** The largest finite 32-bit float. */
const MAX_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;
const MAX_EXCERPT = 60;

export function readScalar(field: ConfigField, node: SourceNode): ReadScalar {
  if (node.type === 'map' || node.type === 'list') return wrongType(field, node);
  switch (field.type) {
    case 'boolean':
      return readBoolean(field, node);
    case 'integer':
    case 'number':
      return readNumber(field, node);
    default:
      return field.format === 'duration' ? readDuration(field, node) : readString(field, node);
  }
}

/** Parsed as a boolean by YAML if not quoted. */
const BOOLEAN = /^(true|false|yes|no|on|off)$/i;

function readBoolean(field: ConfigField, node: SourceScalar): ReadScalar {
  if (node.type === 'boolean') return { value: node.text === 'true' };
  return wrongType(field, node, node.type === 'string' && BOOLEAN.test(node.text) ? '; without quotes it is' : '');
}

function readString(field: ConfigField, node: SourceScalar): ReadScalar {
  if (node.type === 'string') return { value: node.text };
  return wrongType(field, node, node.type === 'null' ? '' : '; in quotes it is one');
}

/** Days and longer units, which Go durations do not have. */
const LONG_UNIT = /\d\s?(d|w|mo|y)/i;

function readDuration(field: ConfigField, node: SourceScalar): ReadScalar {
  const hint = '; a duration has units, such as 90s or 1h30m';
  if (node.type !== 'string') return wrongType(field, node, hint);
  const nanoseconds = parseDuration(node.text);
  if (nanoseconds !== undefined) return { value: formatDuration(nanoseconds) };
  const units = LONG_UNIT.test(node.text) ? '; its units are ns, us, ms, s, m and h: a day is 24h' : hint;
  return { reason: 'InvalidDuration', message: `${describeNode(node)} is not a duration of at most 292 years${units}` };
}

function readNumber(field: ConfigField, node: SourceScalar): ReadScalar {
  if (node.type === 'not-a-number') return { reason: 'OutOfRange', message: `must be a finite number, not ${node.text}` };
  if (node.type !== 'number')
    return wrongType(field, node, node.type === 'string' && Number.isFinite(Number(node.text || 'x')) ? '; without quotes it is one' : '');
  const value = Number(node.text);
  if (field.type === 'integer') {
    if (!Number.isInteger(value)) return wrongType(field, node);
    if (value < MIN_INT32 || value > MAX_INT32) {
      return { reason: 'OutOfRange', message: `must be from ${MIN_INT32} to ${MAX_INT32}, not ${shortened(node.text)}` };
    }
    // Turns -0 into 0.
    return { value: value + 0 };
  }
  const isTooLarge = !Number.isFinite(value) || (field.format === 'float' && Math.abs(value) > MAX_FLOAT32);
  return isTooLarge ? { reason: 'OutOfRange', message: `${shortened(node.text)} is too large a number` } : { value: value + 0 };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

function wrongType({ type, format }: ConfigField, node: SourceNode, hint = ''): ReadScalar {
  const expected = format === 'duration' ? 'a duration' : (TYPE_NAMES[type] ?? type);
  return { reason: 'WrongType', message: `must be ${expected}, not ${describeNode(node)}${hint}` };
}

/** A value in a message: short, on one line, with only visible characters. */
export function describeNode(node: SourceNode): string {
  switch (node.type) {
    case 'map':
      return 'an object';
    case 'list':
      return 'a list';
    case 'string':
      return quotedText(shortened(node.text));
    default:
      return shortened(node.text);
  }
}

/** Truncates a text for a message. */
export const shortened = (text: string): string => (text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text);
