/** A type with every way in which values merge, small enough to read. */
import type { FieldShape, ObjectShape, TypeShape } from '../../pkg/apis/type-shape.ts';

const TEXT: TypeShape = { shape: 'string' };
const field = (name: string, type: TypeShape): FieldShape => ({ name, type, omit: 'empty', pointer: true });
const struct = (name: string, fields: readonly FieldShape[]): ObjectShape => ({ shape: 'object', name, fields });

const PAIR = struct('Pair', [field('a', TEXT), field('b', TEXT)]);
const PORT = struct('Port', [
  field('port', { shape: 'int32' }),
  field('protocol', TEXT),
  field('note', TEXT),
  field('flags', { shape: 'array', items: TEXT, merge: { type: 'set' } }),
]);
const SERVER = struct('Server', [field('id', TEXT), field('zone', TEXT), field('note', TEXT)]);

export const MERGE_SHAPE: ObjectShape = struct('Thing', [
  field('name', TEXT),
  field('count', { shape: 'int64' }),
  field('share', { shape: 'int-or-string' }),
  field('struct', struct('Outer', [field('inner', PAIR), field('text', TEXT)])),
  field('atomicStruct', { ...PAIR, atomic: true }),
  { ...field('structMadeAtomic', PAIR), atomic: true },
  { ...field('structMadeGranular', { ...PAIR, atomic: true }), atomic: false },
  field('map', { shape: 'map', values: TEXT }),
  field('atomicMap', { shape: 'map', values: TEXT, atomic: true }),
  field('mapOfStructs', { shape: 'map', values: PAIR }),
  field('atomicList', { shape: 'array', items: PAIR }),
  field('set', { shape: 'array', items: TEXT, merge: { type: 'set' } }),
  field('ports', {
    shape: 'array',
    items: PORT,
    merge: { type: 'map', keys: [{ name: 'port' }, { name: 'protocol', default: 'TCP' }] },
  }),
  field('servers', { shape: 'array', items: SERVER, merge: { type: 'map', keys: [{ name: 'id' }, { name: 'zone' }] } }),
  field('owners', { shape: 'array', items: { ...PAIR, atomic: true }, merge: { type: 'map', keys: [{ name: 'a', default: '' }] } }),
  field('raw', { shape: 'raw' }),
]);
