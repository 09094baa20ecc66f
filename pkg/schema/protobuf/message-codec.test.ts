import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { RawJson } from '../../apimachinery/json/raw-json.ts';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { TableShape } from '../../apis/meta/v1/shapes.gen.ts';
import type { FieldShape, ObjectShape, TypeShape } from '../../apis/type-shape.ts';
import { createMessageCodec } from './message-codec.ts';

const field = (number: number, type: TypeShape, more: Partial<FieldShape> = {}): FieldShape => ({
  name: `f${number}`,
  type,
  omit: 'empty',
  pointer: false,
  wire: [number],
  ...more,
});
const struct = (...fields: readonly FieldShape[]): ObjectShape => ({ shape: 'object', name: 'test.Widget', fields });
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The codec of a message with a single field, number 1. */
const only = (type: TypeShape, more: Partial<FieldShape> = {}) => {
  const codec = createMessageCodec(struct(field(1, type, { name: 'it', ...more })));
  return {
    bytes: (value?: JsonValue) => codec.encode(value === undefined ? {} : { it: value }).toString('hex'),
    value: (text: string) => codec.decode(hex(text))['it'],
  };
};
const raw = (text: string): RawJson => new RawJson(Buffer.from(text));

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'BadRequest') return error.message;
    throw error;
  }
  return 'taken';
}

describe('a protobuf value', () => {
  const TEXT: TypeShape = { shape: 'string' };
  const BIG = 9223372036854775807n;

  it.each<[string, TypeShape, JsonValue, string]>([
    ['text', TEXT, 'a', '0a0161'],
    ['long text', TEXT, 'a'.repeat(200), `0ac801${'61'.repeat(200)}`],
    ['text beyond ASCII', TEXT, 'é😀', '0a06c3a9f09f9880'],
    ['a boolean', { shape: 'boolean' }, true, '0801'],
    ['an int32', { shape: 'int32' }, 300, '08ac02'],
    ['an int32 below zero', { shape: 'int32' }, -1, '08ffffffffffffffffff01'],
    ['the least int32', { shape: 'int32' }, -2147483648, '0880808080f8ffffffff01'],
    ['the largest int32', { shape: 'int32' }, 2147483647, '08ffffffff07'],
    ['an int64', { shape: 'int64' }, 2 ** 53 - 1, '08ffffffffffffff0f'],
    ['an int64 beyond 2^53 that a double has', { shape: 'int64' }, 2 ** 53 + 2, '088280808080808010'],
    ['an int64 of one bit', { shape: 'int64' }, 2n ** 60n, '08808080808080808010'],
    ['the largest int64', { shape: 'int64' }, BIG, '08ffffffffffffffff7f'],
    ['the least int64', { shape: 'int64' }, -9223372036854775808n, '0880808080808080808001'],
    ['an int64 that a double has and writes otherwise', { shape: 'int64' }, 379303814698299904n, '0880e4ab88f5d9e3a105'],
    ['an int64 that a double writes and has not', { shape: 'int64' }, Number('379303814698299900'), '08fce3ab88f5d9e3a105'],
    ['an int64 below zero', { shape: 'int64' }, -9007199254740993n, '08ffffffffffffffefff01'],
    ['bytes', { shape: 'bytes' }, 'AP8=', '0a0200ff'],
    ['a time', { shape: 'time' }, '2026-03-14T15:09:26Z', '0a0808a6f4d5cd061000'],
    ['a time before 1970', { shape: 'time' }, '1969-12-31T23:59:59Z', '0a0d08ffffffffffffffffff011000'],
    ['a micro time', { shape: 'micro-time' }, '2026-03-14T15:09:26.123456Z', '0a0b08a6f4d5cd06108094ef3a'],
    ['a duration', { shape: 'duration' }, '1m0s', '0a070880b09dc2df01'],
    ['a quantity', { shape: 'quantity' }, '1500m', '0a070a05313530306d'],
    ['an integer or string', { shape: 'int-or-string' }, 5, '0a06080010051a00'],
    ['an integer or string', { shape: 'int-or-string' }, '5%', '0a08080110001a023525'],
    ['raw JSON', { shape: 'raw' }, raw('{"a":1.0}'), '0a0b0a097b2261223a312e307d'],
    ['a list', { shape: 'array', items: TEXT }, ['a', ''], '0a01610a00'],
    ['a list in a message', { shape: 'array', items: TEXT, wrapped: true }, ['a', 'b'], '0a060a01610a0162'],
    [
      'a map, sorted by bytes',
      { shape: 'map', values: TEXT },
      { '\uff5e': 'c', b: '', '😀': 'd', a: 'x' },
      '0a060a01611201780a050a016212000a080a03efbd9e1201630a090a04f09f9880120164',
    ],
    ['a map of quantities', { shape: 'map', values: { shape: 'quantity' } }, { cpu: '1' }, '0a0a0a0363707512030a0131'],
    [
      'a map with __proto__',
      { shape: 'map', values: TEXT },
      JSON.parse('{"__proto__":"x"}') as JsonObject,
      '0a0e0a095f5f70726f746f5f5f120178',
    ],
    ['a struct', struct(field(3, TEXT)), { f3: 'x' }, '0a031a0178'],
  ])('has the same bytes as in Go: %s', (_, type, value, bytes) => {
    const wire = only(type);
    expect(wire.bytes(value)).toBe(bytes);
    expect(wire.value(bytes)).toEqual(value);
  });

  it.each<[string, TypeShape, string]>([
    ['string', TEXT, '0a00'],
    ['boolean', { shape: 'boolean' }, '0800'],
    ['int32', { shape: 'int32' }, '0800'],
    ['int64', { shape: 'int64' }, '0800'],
    ['time', { shape: 'time' }, '0a00'],
    ['micro-time', { shape: 'micro-time' }, '0a00'],
    ['quantity', { shape: 'quantity' }, '0a030a0130'],
    ['int-or-string', { shape: 'int-or-string' }, '0a06080010001a00'],
    ['raw', { shape: 'raw' }, '0a00'],
    ['struct', struct(field(2, TEXT), field(1, { shape: 'int64' }, { pointer: true })), '0a021200'],
    ['bytes', { shape: 'bytes' }, ''],
    ['array', { shape: 'array', items: TEXT }, ''],
    ['wrapped array', { shape: 'array', items: TEXT, wrapped: true }, ''],
    ['map', { shape: 'map', values: TEXT }, ''],
  ])('that is absent and not a pointer is written as its zero value: %s', (_, type, bytes) => {
    expect(only(type).bytes()).toBe(bytes);
    expect(only(type, { pointer: true }).bytes()).toBe('');
  });

  it('that is zero is omitted where Go omits it in JSON', () => {
    expect([only(TEXT).value('0a00'), only({ shape: 'int32' }).value('0800')]).toEqual([undefined, undefined]);
    expect(only({ shape: 'array', items: TEXT, wrapped: true }).value('0a00')).toBeUndefined();
    expect([only(TEXT, { pointer: true }).value('0a00'), only(TEXT, { omit: 'never' }).value('0a00')]).toEqual(['', '']);
    expect(only({ shape: 'array', items: TEXT, wrapped: true }, { omit: 'never' }).value('0a00')).toEqual([]);
    expect([only({ shape: 'time' }).value('0a00'), only({ shape: 'raw' }).value('0a020a00')]).toEqual([undefined, undefined]);
    expect([only({ shape: 'int-or-string' }).value('0a00'), only({ shape: 'quantity' }).value('0a00')]).toEqual([0, '0']);
  });

  it('that was omitted by the sender is present where Go writes it in JSON', () => {
    const inner = struct(field(1, TEXT, { omit: 'never', zero: '' }));
    const codec = createMessageCodec(struct(field(1, inner, { zero: { f1: '' } }), field(2, TEXT, { omit: 'never', zero: '' })));
    expect(codec.decode(hex(''))).toEqual({ f1: { f1: '' }, f2: '' });
    // The second part must not be merged into the zero value of the shape.
    expect(codec.decode(hex('0a00 0a03 0a0178'))).toEqual({ f1: { f1: 'x' }, f2: '' });
    expect(codec.decode(hex(''))).toEqual({ f1: { f1: '' }, f2: '' });
  });

  it('is never null, and repeated parts of a struct are merged', () => {
    const inner = struct(field(1, { shape: 'array', items: TEXT }, { omit: 'never', zero: null }));
    const outer = struct(field(2, inner, { zero: { f1: null } }), field(3, TEXT));
    const codec = createMessageCodec(struct(field(1, outer, { zero: { f2: { f1: null } } })));
    expect(codec.decode(hex(''))).toEqual({ f1: { f2: {} } });
    expect(codec.decode(hex('0a03 1a0161 0a05 1203 0a0162'))).toEqual({ f1: { f2: { f1: ['b'] }, f3: 'a' } });
  });

  it('is truncated as in Go: int32 to 32 bits, Time to seconds, MicroTime to microseconds with carry', () => {
    expect(only({ shape: 'int32' }).value('08 8180808010')).toBe(1);
    expect(only({ shape: 'time' }).value('0a0b 08a6f4d5cd06 10ffffff7f')).toBe('2026-03-14T15:09:26Z');
    // 1,500,000,999 and -1,000 nanoseconds.
    expect(only({ shape: 'micro-time' }).value('0a0c 08a6f4d5cd06 10e7e5a0cb05')).toBe('2026-03-14T15:09:27.500000Z');
    expect(only({ shape: 'micro-time' }).value('0a11 08a6f4d5cd06 1098f8ffffffffffffff01')).toBe('2026-03-14T15:09:25.999999Z');
  });
});

describe('a message', () => {
  const TEXT: TypeShape = { shape: 'string' };
  const shape = struct(
    field(16, TEXT),
    field(1, { shape: 'int64' }, { pointer: true }),
    field(3, { shape: 'array', items: { shape: 'int32' } }),
    field(4, struct(field(1, TEXT), field(2, { shape: 'array', items: TEXT })), { pointer: true }),
    field(5, { shape: 'map', values: TEXT }),
    field(6, TEXT, { name: 'inner', wire: [6, 2] }),
    field(6, TEXT, { name: 'first', wire: [6, 1] }),
    { name: 'kind', type: TEXT, omit: 'empty', pointer: false },
  );
  const codec = createMessageCodec(shape);
  const decode = (text: string) => codec.decode(hex(text));

  it('has its fields sorted by number, and embedded structs as messages', () => {
    const object = { kind: 'Widget', f16: 'z', f1: 1, f3: [1, 2], inner: 'i' };
    const bytes = '0801 1801 1802 3205 0a00 1201 69 82 01 01 7a';
    expect(codec.encode(object).toString('hex')).toBe(bytes.replaceAll(' ', ''));
    expect(decode(bytes)).toEqual({ f16: 'z', f1: 1, f3: [1, 2], inner: 'i' });
  });

  it('accepts fields in any order: last values win, structs merge, lists and maps append', () => {
    expect(decode('8201017a 0802 8201017b 0801')).toEqual({ f1: 1, f16: '{' });
    expect(decode('8201017a 820100')).toEqual({});
    expect(decode('2203 0a0161 2203 120162 2206 0a0163 120164')).toEqual({ f4: { f1: 'c', f2: ['b', 'd'] } });
    expect(decode('1801 0802 1802')).toEqual({ f1: 2, f3: [1, 2] });
    expect(decode('2a060a0161120178 2a060a0162120179 2a060a016112017a')).toEqual({ f5: { a: 'z', b: 'y' } });
    expect(decode('2a00 2a03120178')).toEqual({ f5: { '': 'x' } });
  });

  it('accepts packed repeated numbers', () => {
    expect(decode('1a03 01ac02 1803 1a00')).toEqual({ f3: [1, 300, 3] });
  });

  it('accepts unknown fields, including groups', () => {
    expect(decode('48ac02 49 0102030405060708 4a0161 4d01020304 0801')).toEqual({ f1: 1 });
    expect(decode('4b 48ac02 53 4a0161 54 4c 0801')).toEqual({ f1: 1 });
    expect(decode('2a0a 0a0161 1a020000 120178')).toEqual({ f5: { a: 'x' } });
  });

  it('can be empty', () => expect(decode('')).toEqual({}));

  it.each([
    ['ends in a number', '08'],
    ['ends in a string', '820102 61'],
    ['ends in a struct', '2203 0a01'],
    ['says a length that is longer than itself', '2205 0a0161'],
    ['says a length of 4 GiB', '22ffffffff0f'],
    ['says a length below zero', '22ffffffffffffffffff01'],
    ['has a struct that reaches out of another', '2202 0a02 6161'],
    ['has a number of more than 64 bits', '08ffffffffffffffffffff01'],
    ['has the field 0', '0001'],
    ['has a field number of more than 29 bits', '808080808001 00'],
    ['has an unknown wire type', '0e'],
    ['has the end of a group alone', '4c'],
    ['has a group that does not end', '4b 4801'],
    ['has a known field as a group', '0b0c'],
    ['has a string where a number belongs', '0a0131'],
    ['has a number where a string belongs', '80010a'],
    ['has a number where a struct belongs', '2001'],
    ['has a number where a list of strings belongs', '2202 1001'],
    ['has fixed bytes where a list of numbers belongs', '1d01020304'],
    ['has a number as the key of a map', '2a020801'],
    ['has a number where a map belongs', '2801'],
    ['has a number where an embedded struct belongs', '3001'],
    ['has a string that is not UTF-8', '820102c328'],
    ['has a string that ends within a character', '820101c3'],
  ])('is rejected with 400 if it %s', (_, bytes) => expect(refusal(() => decode(bytes))).toMatch(/^invalid protobuf at offset \d+: /));

  it.each<[string, TypeShape, string]>([
    ['a quantity', { shape: 'quantity' }, '0a050a03 31206b'],
    ['a quantity without text', { shape: 'quantity' }, '0a020a00'],
    ['an integer or string', { shape: 'int-or-string' }, '0a020802'],
    ['a time after the year 9999', { shape: 'time' }, '0a07 088083d1ffaf07'],
    ['a time after all times', { shape: 'micro-time' }, '0a0a08ffffffffffffffff7f'],
    ['raw JSON', { shape: 'raw' }, '0a030a017b'],
    ['a time of another type', { shape: 'time' }, '0a030a0161'],
  ])('is rejected with 400 for an invalid %s', (_, type, bytes) => expect(refusal(() => only(type).value(bytes))).toMatch(/^invalid /));

  it('is rejected with 400 if messages are nested too deeply', () => {
    const fields: FieldShape[] = [];
    const list: ObjectShape = { shape: 'object', name: 'test.List', fields };
    fields.push(field(1, list, { pointer: true }));
    const recursive = createMessageCodec(list);
    const nested = (depth: number): Buffer => {
      let object: JsonObject = {};
      for (let level = 0; level < depth; level++) object = { f1: object };
      return recursive.encode(object);
    };
    expect(refusal(() => recursive.decode(nested(100)))).toBe('taken');
    expect(refusal(() => recursive.decode(nested(101)))).toMatch(/deeper/);
    expect(refusal(() => decode('4b'.repeat(1_000_000)))).toMatch(/unexpected end/);
  });

  it('is rejected with 413 for a list too large to store', () => {
    for (const bytes of [Buffer.alloc(2_000_000, hex('1800')), Buffer.concat([hex('1a 80897a'), Buffer.alloc(2_000_000)])]) {
      expect(() => codec.decode(bytes)).toThrow(expect.objectContaining({ reason: 'RequestEntityTooLarge' }));
    }
  });

  it('is decoded in linear time', () => {
    const alternating = Buffer.concat(Array.from({ length: 300_000 }, (_, at) => hex(at % 2 === 0 ? '1801' : '2202 1200')));
    const before = performance.now();
    codec.decode(alternating);
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('is encoded correctly after a failed encoding', () => {
    const good = { f16: 'x' };
    const bytes = codec.encode(good);
    expect(() => codec.encode({ f1: 1, f16: 5 })).toThrow('cannot be encoded as protobuf: a string is expected, not a number');
    expect(() => codec.encode({ f4: { f1: { a: 1 } }, f16: 'a' })).toThrow(TypeError);
    expect(codec.encode(good)).toEqual(bytes);
  });

  it('of a megabyte is encoded and decoded', () => {
    const object = { f16: 'é'.repeat(300_000), f4: { f1: 'b'.repeat(300_000), f2: Array.from({ length: 1000 }, (_, at) => String(at)) } };
    expect(codec.decode(codec.encode(object))).toEqual(object);
  });

  it('does not exist for types that only JSON has', () => {
    expect(() => createMessageCodec(TableShape)).toThrow('meta.v1.Table has no protobuf message');
  });
});
