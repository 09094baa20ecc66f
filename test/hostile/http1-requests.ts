/** Hostile HTTP/1.1 as bytes: requests with every kind of framing, good and bad. */
import type { Choices } from './choices.ts';
import { chooseIntent, type Field } from './words.ts';

const VERSIONS: readonly string[] = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/1.10',
  'http/1.1',
  '',
];
const LINE_ENDS: readonly string[] = ['\n', '\r', '\r\r\n', '\n\r\n', ' \r\n', '\0\r\n', '\r\n '];
const HOSTS: readonly string[] = ['127.0.0.1', 'evil.example', '127.0.0.1:99999', '[::1]', 'a, b', '', 'a b', '\u00ff', 'x'.repeat(3000)];

/** With `last`, which ends the connection where it is read. */
export function chooseHttp1(choices: Choices, credentials: readonly Field[], last: string): Buffer {
  const requests = Array.from({ length: 1 + choices.below(3) }, () => chooseRequest(choices, credentials));
  return Buffer.concat([...requests, Buffer.from(last, 'latin1')]);
}

function chooseRequest(choices: Choices, credentials: readonly Field[]): Buffer {
  const { method, target, fields: asked, body } = chooseIntent(choices);
  const version = choices.rarely(12) ? choices.of(VERSIONS) : 'HTTP/1.1';
  const space = choices.rarely(60) ? choices.of(['  ', '\t', '']) : ' ';
  const fields: Field[] = [['Host', choices.rarely(12) ? choices.of(HOSTS) : '127.0.0.1'], ...credentials, ...asked];
  if (choices.rarely(25)) fields.push(['Host', choices.of(HOSTS)]);
  if (choices.rarely(15)) fields.push(...webSocketFields);
  const { framing, bytes } = chooseFraming(choices, body);
  fields.push(...framing);
  const lines = [`${method}${space}${target}${space}${version}`, ...fields.map((field) => lineOf(choices, field))];
  const head = lines.map((line) => line + (choices.rarely(300) ? choices.of(LINE_ENDS) : '\r\n')).join('');
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), bytes]);
}

const webSocketFields: readonly Field[] = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Origin', 'https://127.0.0.1'],
];

function lineOf(choices: Choices, [name, value]: Field): string {
  const odd = choices.rarely(150) ? choices.of([' : ', ':', ':\t', ': \r\n ', '', '\0: ', ':\u000b']) : ': ';
  return `${name}${odd}${value}`;
}

interface Framing {
  readonly framing: readonly Field[];
  readonly bytes: Buffer;
}

const CODINGS: readonly string[] = [
  'chunked',
  'Chunked',
  'chunked, chunked',
  'identity',
  'gzip, chunked',
  'chunked, x',
  ' chunked',
  '\u000bchunked',
  'xchunked',
];
const LENGTHS: readonly string[] = ['-1', '+5', '0x5', '5, 5', '05', '1e1', '', '99999999999999999999', '5;', '5 5', '3145729'];
const CHUNKS: readonly string[] = [
  ...[
    '0\r\n\r\n',
    '5\r\nhello\r\n0\r\n\r\n',
    '5\nhello\n0\n\n',
    'ffffffffffffffff\r\nx',
    '5;a=b\r\nhello\r\n0\r\n\r\n',
    '-5\r\nhello\r\n0\r\n\r\n',
  ],
  ...[
    `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`,
    '5\r\nhello\r\n0\r\nContent-Length: 5\r\nImpersonate-User: admin\r\n\r\n',
    '5\r\nhelloX0\r\n\r\n',
  ],
  ...['0x5\r\nhello\r\n0\r\n\r\n', '5 \r\nhello\r\n0\r\n\r\n', '\r\n', '1\r\na\r\n'.repeat(300) + '0\r\n\r\n'],
];

function chooseFraming(choices: Choices, body: Buffer): Framing {
  const length = String(body.byteLength);
  switch (choices.below(24)) {
    case 0:
      return { framing: [['Transfer-Encoding', choices.of(CODINGS)]], bytes: Buffer.from(choices.of(CHUNKS), 'latin1') };
    case 1:
      return { framing: [['Transfer-Encoding', 'chunked']], bytes: Buffer.from(choices.of(CHUNKS), 'latin1') };
    case 2:
      // Which of the two counts is what smuggling is about.
      return {
        framing: choices.some(
          [['Content-Length', choices.of(['5', '0', length])] as const, ['Transfer-Encoding', choices.of(CODINGS)] as const],
          3,
        ),
        bytes: Buffer.from(choices.of(CHUNKS), 'latin1'),
      };
    case 3:
      return { framing: [['Content-Length', choices.of(LENGTHS)]], bytes: body };
    case 4:
      return {
        framing: [
          ['Content-Length', length],
          ['Content-Length', choices.of(['0', length, '7'])],
        ],
        bytes: body,
      };
    case 5:
      return { framing: [['Content-Length', String(Math.max(0, body.byteLength - 1 - choices.below(40)))]], bytes: body };
    case 6:
      return { framing: [['Content-Length', '0']], bytes: body };
    default:
      return { framing: body.byteLength === 0 && choices.rarely(2) ? [] : [['Content-Length', length]], bytes: body };
  }
}
