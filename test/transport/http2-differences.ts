/** Where the HTTP/2 transports differ, as a client sees it. */
export interface Difference {
  readonly native: string;
  readonly node: string;
  readonly why: string;
}

const SEEN = (headers: string) => `1: 200 ["GET","/seen","",{${headers}"host":"127.0.0.1"},"h2",true]; goes on`;

/**
 * nghttp2 passes over fields that RFC 9113 §8.2.1 calls malformed; Go's server resets the stream, and so does the
 * native transport.
 */
const MALFORMED: Difference = {
  native: '1: reset protocolError; goes on',
  node: SEEN(''),
  why: 'RFC 9113 §8.2.1: the request is malformed. nghttp2 drops the field and serves the rest; Go resets the stream',
};

export const DIFFERENCES: ReadonlyMap<string, Difference> = new Map<string, Difference>([
  ['an empty name', MALFORMED],
  ['a name with a space', MALFORMED],
  ['a name with a colon', MALFORMED],
  ['a name beyond ASCII', MALFORMED],
  ['a value with a line break', MALFORMED],
  ['a value with NUL', MALFORMED],
  ['a value with a control character', MALFORMED],
  ['a value with DEL', MALFORMED],
  [
    'a value with spaces around',
    {
      native: SEEN('"x":"y",'),
      node: SEEN(''),
      why: 'HTTP/1.1 trims such a value, and so does the native transport; nghttp2 drops the field',
    },
  ],
  [
    'an authority with user information',
    {
      native: '1: 400 the Host header is not valid, or there are several\n; goes on',
      node: '1: reset protocolError; goes on',
      why: 'refused by both: here with the answer that HTTP/1.1 gives, by nghttp2 before there is a request',
    },
  ],
  [
    '300 fields',
    {
      native: '1: 431; goes on',
      node: '1: reset enhanceYourCalm; goes on',
      why: 'too many fields for both; a status says what is wrong (RFC 6585 §5)',
    },
  ],
  [
    'a body that is longer than its length',
    {
      native: '1: reset protocolError; goes on',
      node: 'goaway internalError; closed',
      why: 'RFC 9113 §8.1.1 calls it an error of the stream; Node ends the connection, with the requests of others in it',
    },
  ],
  [
    'the same length twice',
    {
      native: '1: 200 hello; goes on',
      node: '1: reset protocolError; goes on',
      why: 'RFC 9110 §8.6 allows a recipient to take equal lengths for one',
    },
  ],
  [
    '100-continue',
    {
      native: '1: 200 hello; goes on',
      node: '1: 100 200 hello; goes on',
      why: 'RFC 9110 §10.1.1: whoever has the body already need not ask for it',
    },
  ],
  [
    'DATA behind the end of a request',
    {
      native: '1: reset streamClosed; goes on',
      node: 'goaway streamClosed; closed',
      why: 'RFC 9113 §5.1 calls it an error of the stream while the response is being made',
    },
  ],
  [
    'HEADERS behind the end of a request',
    {
      native: '1: reset streamClosed; goes on',
      node: 'goaway streamClosed; closed',
      why: 'RFC 9113 §5.1 calls it an error of the stream while the response is being made',
    },
  ],
  [
    'HEADERS on a lower stream than before',
    {
      native: 'goaway streamClosed; closed',
      node: '5: 200 hello; goes on',
      why: 'RFC 9113 §5.1.1 calls it an error of the connection; nghttp2 passes it over',
    },
  ],
  [
    'PRIORITY on stream 0',
    {
      native: 'goaway protocolError; closed',
      node: 'goes on',
      why: 'RFC 9113 §6.3 calls it an error of the connection; nghttp2 no longer reads the frame',
    },
  ],
  [
    'PRIORITY of a stream on itself',
    {
      native: 'goaway protocolError; closed',
      node: 'goes on',
      why: 'RFC 7540 §5.3.1 called it an error, and h2spec asks for it; nghttp2 no longer reads the frame',
    },
  ],
  [
    'GOAWAY',
    {
      native: 'goaway noError; goes on',
      node: 'goaway noError; closed',
      why: 'RFC 9113 §6.8: the client may still send requests; the native transport answers those that are on their way',
    },
  ],
  [
    'WINDOW_UPDATE of nothing on a stream',
    {
      native: '1: reset protocolError; goes on',
      node: 'goaway protocolError; closed',
      why: 'RFC 9113 §6.9 calls it an error of the stream; nghttp2 ends the connection',
    },
  ],
  [
    'a window of a stream beyond 2^31',
    {
      native: '1: reset flowControlError; goes on',
      node: 'goaway flowControlError; closed',
      why: 'RFC 9113 §6.9.1 allows either; nghttp2 ends the connection',
    },
  ],
  ...['a broken preface', 'HTTP/1.1', 'no preface'].map(
    (name) =>
      [
        name,
        {
          native: 'goaway protocolError; closed',
          node: 'goaway internalError; closed',
          why: 'RFC 9113 §3.4 names PROTOCOL_ERROR; Node gives every fatal error of nghttp2 as an internal one',
        },
      ] as const,
  ),
]);
