import { describe, expect, it } from '@jest/globals';
import { StatusError } from '../../apimachinery/status/status-error.ts';
import { envelopeFraming, parseEnvelope, writeEnvelope } from './envelope.ts';

const TYPE = { apiVersion: 'v1', kind: 'Status' };
const MAGIC = '6b387300';
const SEALED = `${MAGIC}0a0c0a02763112065374617475731203aabbcc1a002200`;
const message = Buffer.from('aabbcc', 'hex');
const open = (hex: string) => parseEnvelope(Buffer.from(hex, 'hex'));

describe('an envelope', () => {
  it('contains the type of its message, as Go writes it', () => {
    expect(writeEnvelope(TYPE, message).toString('hex')).toBe(SEALED);
    expect(open(SEALED)).toEqual({ ...TYPE, raw: message, contentType: '', contentEncoding: '' });
  });

  it.each([0, 1, 127, 128, 300, 16_383, 16_384, 2_097_152])(
    'can be written around a message of %d bytes that is sent in segments',
    (bytes) => {
      const { head, tail } = envelopeFraming(TYPE, bytes);
      const whole = writeEnvelope(TYPE, Buffer.alloc(bytes, 7));
      expect(Buffer.concat([head, Buffer.alloc(bytes, 7), tail]).equals(whole)).toBe(true);
      expect(parseEnvelope(whole).raw.byteLength).toBe(bytes);
    },
  );

  it('accepts its fields in any order, missing and unknown ones', () => {
    expect(open(`${MAGIC}220161 1203aabbcc 2a0178 1a0162 0a040a027631 0a021200 0a0312014b`.replaceAll(' ', ''))).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      raw: message,
      contentType: 'a',
      contentEncoding: 'b',
    });
    expect(open(`${MAGIC}2a00`)).toEqual({ apiVersion: '', kind: '', raw: Buffer.alloc(0), contentType: '', contentEncoding: '' });
  });

  it.each([
    ['nothing', ''],
    ['the magic bytes alone', MAGIC],
    ['part of them', '6b38'],
    ['JSON', Buffer.from('{"kind":"Status"}').toString('hex')],
    ['a message that is cut off', SEALED.slice(0, -2)],
    ['a number for the type', `${MAGIC}0801`],
    ['a number for the kind', `${MAGIC}0a021001`],
    ['a number for the message', `${MAGIC}1001`],
    ['a kind that is not UTF-8', `${MAGIC}0a031201ff`],
  ])('is rejected with 400 if it is %s', (_, hex) => {
    let refused: unknown;
    try {
      open(hex);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(StatusError);
    expect(refused).toMatchObject({ reason: 'BadRequest', message: expect.stringMatching(/^invalid protobuf/) as unknown });
  });
});
