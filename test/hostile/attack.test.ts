import { describe, expect, it } from '@jest/globals';
import { FLAG, frame, headerBlock, TYPE } from '../transport/http2-frames.ts';
import { CANARY, CLIENTS, judge } from './attack.ts';
import { haveEnded, readHttp1, readHttp2 } from './responses.ts';

const [NOBODY = { name: 'nobody' }, FEW = { name: 'few rights' }] = CLIENTS;

describe('What came back', () => {
  const findings = (client: typeof NOBODY, code: number, body: string, received = body) =>
    judge(client, { received: Buffer.from(received), isStuck: false, responses: [{ code, body }], requests: 1 }).findings;

  it.each([
    [200, 'ok'],
    [200, ''],
    [200, '[+]ping ok\n[+]etcd ok\nreadyz check passed\n'],
    [200, '{\n  "major": "1",\n  "gitVersion": "v1.36.0"\n}'],
    [401, '{"kind":"Status"}'],
    [501, ''],
  ])('is nothing to find: %d %j', (code, body) => {
    expect(findings(NOBODY, code, body)).toEqual([]);
  });

  it.each([
    [200, '{"kind":"SecretList","items":[]}'],
    [200, '<!doctype html>'],
    [101, ''],
    [500, 'oops'],
    [502, ''],
  ])('is a finding: %d %j', (code, body) => {
    expect(findings(NOBODY, code, body)).toHaveLength(1);
  });

  it('is a finding when it holds what the client may not read, in whatever answer', () => {
    expect(findings(FEW, 403, '', `x${CANARY}x`)).toEqual(['few rights: read what it may not']);
    expect(findings(FEW, 200, '', Buffer.from(CANARY).toString('base64'))).toHaveLength(1);
  });
});

describe('Responses', () => {
  it('are read from HTTP/1.1 whatever their framing', () => {
    const received = Buffer.from(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n' +
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nHTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n',
    );
    expect(readHttp1(received).map(({ code, body }) => [code, body.length])).toEqual([
      [100, 0],
      [200, 2],
      [200, 0],
      [200, 11],
      [400, 0],
    ]);
  });

  it('are read from HTTP/2', () => {
    const received = Buffer.concat([
      frame(TYPE.headers, FLAG.endHeaders, 1, headerBlock([[':status', '200']])),
      frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, 3, headerBlock([[':status', '403']])),
      frame(TYPE.data, FLAG.endStream, 1, Buffer.from('ok')),
    ]);
    expect(readHttp2(received)).toEqual([
      { code: 200, body: 'ok' },
      { code: 403, body: '' },
    ]);
    expect([haveEnded(received, [1, 3]), haveEnded(received, [1, 5])]).toEqual([true, false]);
  });
});
