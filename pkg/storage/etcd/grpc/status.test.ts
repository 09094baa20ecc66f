import { describe, expect, it } from '@jest/globals';
import { decodeGrpcMessage } from './status.ts';

describe('the message of a gRPC status', () => {
  it.each([
    ['etcdserver: permission denied', 'etcdserver: permission denied'],
    ['100%25 of %22it%22', '100% of "it"'],
    ['caf%C3%A9 %E2%82%AC', 'café €'],
    ['%2F stays a slash%3B', '/ stays a slash;'],
    ['50% of %zz', '50% of %zz'],
    ['%ff is no UTF-8', '\ufffd is no UTF-8'],
    ['', ''],
  ])('%s is %s', (value, expected) => {
    expect(decodeGrpcMessage(value)).toBe(expected);
  });
});
