import { describe, expect, it } from '@jest/globals';
import { receivedField } from './received-field.ts';
import { areTrailers, readRequestFields } from './request-fields.ts';

const fieldsOf = (text: string) =>
  text.split('\n').map((line) => {
    const end = line.indexOf(': ', 1);
    return receivedField(line.slice(0, end), line.slice(end + 2));
  });
const GET = ':method: GET\n:scheme: https\n:path: /a?b\n:authority: c:1';

describe('the fields of a request', () => {
  it('are combined by name, as on HTTP/1.1', () => {
    const { headers, ...request } =
      readRequestFields(fieldsOf(`${GET}\naccept: a\ncookie: a\naccept: b\ncookie: b\n__proto__: c\ncontent-length: 7`)) ?? {};
    expect(request).toEqual({
      method: 'GET',
      path: '/a?b',
      contentLength: 7,
      repeated: new Map([
        ['accept', ['a', 'b']],
        ['cookie', ['a', 'b']],
      ]),
    });
    expect(Object.entries(headers ?? {})).toEqual([
      ['accept', 'a, b'],
      ['cookie', 'a; b'],
      ['__proto__', 'c'],
      ['content-length', '7'],
      ['host', 'c:1'],
    ]);
  });

  it('have the authority in place of Host', () => {
    expect(readRequestFields(fieldsOf(`${GET}\nhost: a`))?.headers['host']).toBe('c:1');
  });

  it('count once where only one value is allowed', () => {
    const { headers } =
      readRequestFields(fieldsOf(`${GET}\nauthorization: Bearer a\nauthorization: Bearer b\ncontent-type: a\ncontent-type: b`)) ?? {};
    expect([headers?.['authorization'], headers?.['content-type']]).toEqual(['Bearer a', 'a']);
  });

  it('are trimmed, as on HTTP/1.1', () => {
    const spaces = ' '.repeat(200_000);
    const value = `a${spaces}b`;
    const { headers } = readRequestFields([...fieldsOf(GET), receivedField('x', `\t ${value} \t`), receivedField('y', spaces)]) ?? {};
    expect([headers?.['x'] === value, headers?.['y']]).toEqual([true, '']);
  });

  it.each([
    ['a star for OPTIONS', ':method: OPTIONS\n:scheme: https\n:path: *\nhost: a'],
    ['a Host alone', ':method: GET\n:scheme: https\n:path: /\nhost: a'],
    ['a Host beside the authority', `${GET}\nhost: a`],
    ['CONNECT', ':method: CONNECT\n:authority: a:1'],
    ['the same length twice', `${GET}\ncontent-length: 0\ncontent-length: 0`],
    ['trailers announced', `${GET}\nte: trailers`],
    ['bytes beyond ASCII in a value', `${GET}\nuser-agent: Jürgen\t1`],
  ])('may be %s', (_, text) => {
    expect(readRequestFields(fieldsOf(text))).toBeDefined();
  });

  it.each([
    ['a space in the path', ':method: GET\n:scheme: https\n:path: /a b\n:authority: a'],
    ['a path that is a URL', ':method: GET\n:scheme: https\n:path: https://a/\n:authority: a'],
    ['a star for GET', ':method: GET\n:scheme: https\n:path: *\n:authority: a'],
    ['no scheme', ':method: GET\n:path: /\n:authority: a'],
    ['an empty scheme', ':method: GET\n:scheme: \n:path: /\n:authority: a'],
    ['neither authority nor Host', ':method: GET\n:scheme: https\n:path: /'],
    ['an empty authority', ':method: GET\n:scheme: https\n:path: /\n:authority: '],
    ['two Hosts', `${GET}\nhost: a\nhost: b`],
    ['a method that is no token', ':method: GE T\n:scheme: https\n:path: /\n:authority: a'],
    ['an authority with a space', ':method: GET\n:scheme: https\n:path: /\n:authority: a b'],
    ['CONNECT with a path', ':method: CONNECT\n:authority: a:1\n:path: /'],
    ['a status', `:status: 200\n${GET}`],
    ['a capital in a name', `${GET}\nAccept: a`],
    ['a name that is empty', `${GET}\n: a`],
    ['a length below 0', `${GET}\ncontent-length: -1`],
    ['a length of many digits', `${GET}\ncontent-length: ${'9'.repeat(16)}`],
    ['a carriage return in a value', `${GET}\nx: a\rb`],
  ])('must not have %s', (_, text) => {
    expect(readRequestFields(fieldsOf(text))).toBeUndefined();
  });
});

describe('trailers', () => {
  it('have no pseudo-header and no connection-specific fields', () => {
    expect(areTrailers(fieldsOf('x-checksum: 1\ny: 2'))).toBe(true);
    expect([':status: 200', 'connection: close', 'X: 1', 'x: a\0b'].map((text) => areTrailers(fieldsOf(text)))).toEqual(
      Array(4).fill(false),
    );
  });
});
