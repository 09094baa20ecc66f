/** Compares the codec with Node's HTTP/2 and the examples of RFC 7541. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ProtocolError } from './frames.ts';
import { HpackDecoder } from './hpack-decoder.ts';
import { HpackEncoder } from './hpack-encoder.ts';
import { STATIC_TABLE } from './hpack-tables.ts';

const decode = (decoder: HpackDecoder, hex: string) => {
  const block = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  return (decoder.decode(block, 0, block.length) ?? []).map(({ name, value }) => `${name}: ${value}`);
};

describe('header blocks', () => {
  it('of the responses of RFC 7541 C.5, without the Huffman code, are read', () => {
    const decoder = new HpackDecoder();
    expect(
      decode(
        decoder,
        '4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d',
      ),
    ).toEqual([':status: 302', 'cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com']);
    expect(decode(decoder, '4803333037c1c0bf')).toEqual([
      ':status: 307',
      'cache-control: private',
      'date: Mon, 21 Oct 2013 20:13:21 GMT',
      'location: https://www.example.com',
    ]);
  });

  it('of the responses of RFC 7541 C.6, with the Huffman code, are read', () => {
    const decoder = new HpackDecoder();
    expect(
      decode(decoder, '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3'),
    ).toEqual([':status: 302', 'cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com']);
    expect(decode(decoder, '4883640effc1c0bf')[0]).toBe(':status: 307');
  });

  it('evict what no longer fits the table', () => {
    const decoder = new HpackDecoder();
    // An entry of 2080 bytes, of which the table of 4096 holds one.
    const long = (letter: string) => `40 01 ${letter} 7f a1 0f ${letter.repeat(2080)}`;
    expect(decode(decoder, long('61'))[0]).toMatch(/^a: a+$/);
    expect(decode(decoder, long('62'))[0]).toMatch(/^b: b+$/);
    expect(decode(decoder, 'be')[0]).toMatch(/^b:/);
    expect(() => decode(decoder, 'bf')).toThrow(ProtocolError);
    expect(decode(decoder, '20')).toEqual([]);
    expect(() => decode(decoder, 'be')).toThrow(ProtocolError);
  });

  it.each([
    ['an index of nothing', '80'],
    ['an index beyond both tables', 'be'],
    ['a table larger than allowed', '3fe2 1f'],
    ['a string that is cut off', '0005 61'],
    ['a number that does not end', 'ffffffffffff'],
    ['padding of the Huffman code that is not ones', '0001 61 81 1c 00'],
    ['a Huffman code that ends in the middle of a symbol', '0001 61 81 00'],
    ['a Huffman code with the end of the string in it', '0001 61 84 ffffffff'],
  ])('are refused: %s', (_, hex) => {
    expect(() => decode(new HpackDecoder(), hex)).toThrow(ProtocolError);
  });

  it('of any bytes are read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (blocks) => {
        const decoder = new HpackDecoder();
        for (const block of blocks.map((bytes) => Buffer.from(bytes))) {
          try {
            decoder.decode(block, 0, block.length);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }
      }),
    );
  });

  it('are decoded to the encoded fields, whatever they are, and are shorter the second time', () => {
    const field = fc.record({
      name: fc.constantFrom(...STATIC_TABLE.map(({ name }) => name), 'token', 'grpc-timeout', 'x'),
      value: fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
      secret: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fc.array(field, { maxLength: 8 }), { maxLength: 20 }), fc.option(fc.nat(20)), (blocks, limitedAt) => {
        const encoder = new HpackEncoder();
        const decoder = new HpackDecoder();
        for (const [index, fields] of blocks.entries()) {
          if (index === limitedAt) encoder.limitTable(100);
          for (let times = 0; times < 2; times++) {
            const block = encoder.encode(fields);
            expect(decoder.decode(block, 0, block.length)).toMatchObject(fields.map(({ name, value }) => ({ name, value })));
          }
        }
      }),
    );
    const encoder = new HpackEncoder();
    const fields = [{ name: 'grpc-timeout', value: '10000m' }];
    expect(encoder.encode(fields).length).toBeGreaterThan(20);
    expect(encoder.encode(fields).length).toBe(1);
  });

  it('add no secret to a table', () => {
    const encoder = new HpackEncoder();
    const fields = [{ name: 'token', value: 'abc', secret: true }];
    expect(encoder.encode(fields)).toEqual(encoder.encode(fields));
    expect(encoder.entered).toBe(0);
    expect(encoder.encode(fields)[0]).toBe(0x10);
  });
});
