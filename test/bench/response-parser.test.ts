import { describe, expect, it } from '@jest/globals';
import { ResponseParser } from './response-parser.ts';

const responses =
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
  'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n' +
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nA\r\n0123456789\r\n3\r\nabc\r\n0\r\n\r\n' +
  'HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\n!';

function parse(pieces: readonly Buffer[]): string[] {
  const seen: string[] = [];
  let body = '';
  const parser = new ResponseParser({
    head: (code) => seen.push(String(code)),
    body: (bytes, start, end) => (body += bytes.toString('latin1', start, end)),
    end: () => {
      seen.push(body);
      body = '';
    },
  });
  for (const piece of pieces) parser.feed(piece);
  return seen;
}

describe('ResponseParser', () => {
  const expected = ['200', 'hello', '404', '', '200', '0123456789abc', '201', '!'];

  it('reads responses of both framings one after the other', () => {
    expect(parse([Buffer.from(responses)])).toEqual(expected);
  });

  it.each([1, 2, 3, 7, 50])('reads them the same in pieces of %i bytes', (size) => {
    const bytes = Buffer.from(responses);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
    expect(parse(pieces)).toEqual(expected);
  });

  it('refuses what is no HTTP/1.1 response', () => {
    expect(() => parse([Buffer.from('SSH-2.0-x\r\n\r\n')])).toThrow('not an HTTP/1.1 response');
  });
});
