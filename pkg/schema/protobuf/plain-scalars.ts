/** Codecs of plain scalars. */
import { unexpectedValue, type ValueCodec } from './value-codec.ts';
import { LENGTH_DELIMITED, VARINT } from './wire-type.ts';

export const STRING: ValueCodec = {
  wireType: LENGTH_DELIMITED,
  zero: '',
  write: (out, value) => {
    if (typeof value !== 'string') throw unexpectedValue('a string', value);
    const { size } = out;
    out.text(value);
    out.varint(out.size - size);
  },
  read: (from) => from.text(),
};

export const BOOLEAN: ValueCodec = {
  wireType: VARINT,
  zero: false,
  write: (out, value) => {
    if (typeof value !== 'boolean') throw unexpectedValue('a boolean', value);
    out.byte(value ? 1 : 0);
  },
  read: (from) => from.boolean(),
};

export const INT32: ValueCodec = {
  wireType: VARINT,
  zero: 0,
  write: (out, value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw unexpectedValue('an integer', value);
    out.int64(value);
  },
  read: (from) => from.int32(),
};

export const INT64: ValueCodec = {
  wireType: VARINT,
  zero: 0,
  write: (out, value) => {
    if (typeof value !== 'bigint' && (typeof value !== 'number' || !Number.isInteger(value))) throw unexpectedValue('an integer', value);
    out.int64(value);
  },
  read: (from) => from.int64(),
};

/** Base64 in JSON. */
export const BYTES: ValueCodec = {
  wireType: LENGTH_DELIMITED,
  zero: '',
  write: (out, value) => {
    if (typeof value !== 'string') throw unexpectedValue('a string', value);
    const bytes = Buffer.from(value, 'base64');
    out.bytes(bytes);
    out.varint(bytes.byteLength);
  },
  read: (from) => from.bytes().toString('base64'),
};
