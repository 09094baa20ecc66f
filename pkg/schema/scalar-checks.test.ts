import { describe, expect, it } from '@jest/globals';
import { RawJson } from '../apimachinery/json/raw-json.ts';
import { isBytes, isDuration, isFieldsV1, isInt64, isIntOrString, isMicroTime, isQuantity, isTime } from './scalar-checks.ts';

describe('isInt64', () => {
  it.each([0, -1, 2 ** 53, 9223372036854775807n, -9223372036854775808n])('accepts %s', (value) => expect(isInt64(value)).toBe(true));
  it.each([0.5, 2 ** 63, -(2 ** 63), 9223372036854775808n, -9223372036854775809n, Number.NaN, '1', null, undefined])(
    'rejects %s',
    (value) => expect(isInt64(value)).toBe(false),
  );
});

// Computed with Go's time.ParseDuration.
describe('isDuration', () => {
  it.each(['1s', '1m30s', '1.5h', '1µs', '-1.5h', '.5s', '5.s', '1m1h', '1s1s', '0', '2562047h47m16.854775807s'])('takes "%s"', (text) =>
    expect(isDuration(text)).toBe(true),
  );
  it.each(['', ' 1s', '1 s', '1h30', '1H', '1e3s', 'PT1S', '--1s', '2562048h', 5, null, {}])('refuses %j', (value) =>
    expect(isDuration(value)).toBe(false),
  );
});

describe('isBytes', () => {
  it.each(['', 'YQ==', 'YWI=', 'YWJj', 'YWJj\nYQ=='])('takes %j', (text) => expect(isBytes(text)).toBe(true));
  it.each(['YQ', 'YQ=', 'Y-_=', '====', 5])('refuses %j', (value) => expect(isBytes(value)).toBe(false));
});

describe('isTime, isMicroTime and isQuantity', () => {
  it('accept null as the zero time, for elements of a map', () => expect([isTime(null), isMicroTime(null)]).toEqual([true, true]));

  it('accept only valid text', () => {
    expect([isTime('2026-03-14T15:09:26+02:00'), isTime('2026-03-14'), isTime(5)]).toEqual([true, false, false]);
    expect([isMicroTime('2026-03-14T15:09:26.000000Z'), isMicroTime('2026-03-14T15:09:26Z'), isMicroTime({})]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isQuantity('1Gi'), isQuantity(1.5), isQuantity('1GB'), isQuantity(''), isQuantity({})]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('isIntOrString', () => {
  it.each([1, -1, '', '50%', 'http'])('takes %j', (value) => expect(isIntOrString(value)).toBe(true));
  it.each([1.5, 2 ** 31, true, null, {}])('rejects %j', (value) => expect(isIntOrString(value)).toBe(false));
});

describe('isFieldsV1', () => {
  it('accepts an object, raw or decoded', () => {
    expect(isFieldsV1({})).toBe(true);
    expect(isFieldsV1(new RawJson(Buffer.from('{"f:spec":{}}')))).toBe(true);
    expect(isFieldsV1(new RawJson(Buffer.from('"x"')))).toBe(false);
    expect(isFieldsV1([])).toBe(false);
  });
});
