/** Values that readers and rules tend to treat differently, by type. */
import type { TypeShape } from '../../pkg/apis/type-shape.ts';
import { token } from '../support/json-token.ts';
import type { Tree } from './tree.ts';

const repeated = (text: string, times: number): string => text.repeat(times);

const TEXTS: readonly Tree[] = [
  '',
  ' ',
  'a',
  'A',
  'a-b',
  '-a',
  'a-',
  'a.b',
  'a..b',
  '.a',
  'a.',
  'a_b',
  'a/b',
  '/a',
  'a/',
  'a/b/c',
  'a:b',
  'a b',
  ' a',
  'a ',
  'a\tb',
  'a\nb',
  'a,b',
  'a=b',
  '"a"',
  '*',
  '*.example.com',
  'example.com',
  'example.com/x',
  'Example.com/x',
  'example.com/',
  'kubernetes.io/x',
  'v1',
  '0',
  '-1',
  '1',
  '007',
  '65536',
  'true',
  'null',
  '%',
  '%41',
  '%s',
  '..',
  '.',
  '../x',
  'a/../b',
  '/var/log',
  '/var/log/../x',
  '$(A)',
  '$(A',
  'ä',
  'e\u0301',
  '日本',
  '😀',
  '\u0000',
  '\u007f',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '__proto__',
  'constructor',
  'Always',
  'always',
  'Never',
  '10.0.0.1',
  '010.0.0.1',
  '10.0.0.0/8',
  '2001:db8::1',
  'https://example.com/x?y=z',
  '1Gi',
  '100m',
  '50%',
  '101%',
  '-5%',
  '1h',
  '2026-01-01T00:00:00Z',
  'UTC',
  'Local',
  'Europe/Rome',
  '@every 1h',
  '*/5 * * * *',
  repeated('a', 15),
  repeated('a', 16),
  repeated('a', 52),
  repeated('a', 53),
  repeated('a', 63),
  repeated('a', 64),
  `${repeated('a', 63)}.${repeated('b', 63)}.${repeated('c', 63)}.${repeated('d', 61)}`,
  repeated('a', 253),
  repeated('a', 254),
  repeated('ä', 600),
  repeated('a', 1025),
  token('"\\ud800"'),
];

const INTEGERS: readonly Tree[] = [
  0,
  1,
  -1,
  2,
  5,
  30,
  100,
  101,
  1000,
  65535,
  65536,
  100000,
  2147483647,
  2147483648,
  -2147483648,
  -2147483649,
  token('9007199254740993'),
  token('9223372036854775807'),
  token('9223372036854775808'),
  token('-9223372036854775808'),
  token('-9223372036854775809'),
  token('1.0'),
  token('1e2'),
  token('-0'),
  token('1e400'),
  1.5,
];

const TIMES: readonly Tree[] = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.5Z',
  '2026-01-01T00:00:00.123456Z',
  '2026-01-01T00:00:00.123456789Z',
  '2026-01-01T02:00:00+02:00',
  '2026-01-01T00:00:00.000001-07:30',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '9999-12-31T23:59:59Z',
  '10000-01-01T00:00:00Z',
  'now',
  '',
];

const QUANTITIES: readonly Tree[] = [
  '0',
  '1',
  '-1',
  '+1',
  '1.5',
  '.5',
  '1.',
  '0.1',
  '100m',
  '1n',
  '0.1n',
  '1Ki',
  '1Gi',
  '1.5Gi',
  '1gi',
  '1E',
  '1e3',
  '1E3',
  '1e-3',
  '1k',
  '1K',
  '007',
  '9223372036854775807',
  '9223372036854775808',
  '1e19',
  '',
  'a',
  ' 1',
  3,
  1.5,
  token('1e3'),
];

const ANYTHING: readonly Tree[] = [
  {},
  { a: 1 },
  { a: token('1.0') },
  { b: 1, a: [null, { c: token('12345678901234567890') }] },
  [],
  'x',
  5,
  true,
];

/** Of the right type, mostly. Empty for structs, lists and maps. */
export function oddValues(shape: TypeShape['shape'] | undefined): readonly Tree[] {
  switch (shape) {
    case 'string':
      return TEXTS;
    case 'boolean':
      return [true, false];
    case 'int32':
    case 'int64':
      return INTEGERS;
    case 'number':
      return [...INTEGERS, 0.1, token('1e-7')];
    case 'int-or-string':
      return [...INTEGERS, '0', '1', '50%', '101%', '-1%', '0%', '007%', '1.5%', '%', 'web', '', '-web', repeated('a', 16), 'A'];
    case 'bytes':
      return ['', 'YQ==', 'YQ', 'YQ=', '=', '_-_-', 'YWJj\nZGVm', 'ä', '\u0000'];
    case 'time':
    case 'micro-time':
      return TIMES;
    case 'duration':
      return ['0s', '1h', '90m', '1h0m0s', '-1h', '1', '', 'x', '1.5h', '10000000000h'];
    case 'quantity':
      return QUANTITIES;
    case 'fields-v1':
      return [
        {},
        { 'f:metadata': {} },
        { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
        { 'f:spec': 'x' },
        { x: {} },
        { 'k:{': {} },
      ];
    case 'raw':
    case 'any':
    case undefined:
      return ANYTHING;
    case 'object':
    case 'array':
    case 'map':
      return [];
    default:
      return shape satisfies never;
  }
}

export const WRONG_TYPES: readonly Tree[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  '',
  'x',
  '1',
  [],
  {},
  [null],
  [[]],
  [{}],
  ['a'],
  [1],
  { a: 1 },
  { a: 'b' },
  { a: null },
  { a: {} },
  token(`${'['.repeat(200)}${']'.repeat(200)}`),
];

/** Names of members of maps. */
export const ODD_KEYS: readonly string[] = [
  '',
  'a',
  'A',
  'a.b',
  'a b',
  'a/b',
  '/a',
  'a/',
  'a/b/c',
  '-a',
  'a-',
  '.',
  '..',
  '..a',
  'a_B.c-1',
  'ä',
  '😀',
  '__proto__',
  'constructor',
  'toString',
  'example.com/x',
  'Example.com/x',
  'kubernetes.io/hostname',
  'a=b',
  '\u0000',
  repeated('a', 63),
  repeated('a', 64),
  repeated('a', 253),
  repeated('a', 254),
  `${repeated('b', 253)}/${repeated('a', 63)}`,
  `${repeated('b', 254)}/a`,
];

/** Names of fields that no type has, or that other types have. */
export const UNKNOWN_FIELDS: readonly string[] = [
  'unknown',
  'Spec',
  'name',
  'items',
  '__proto__',
  'constructor',
  '',
  'a b',
  'é',
  'a.b',
  'status2',
];
