import { describe, expect, it } from '@jest/globals';
import { notFound, StatusError } from '../../apimachinery/status/status-error.ts';
import type { Log } from '../../observability/logging.ts';
import { testContext } from '../../../test/support/request-context.ts';
import type { ApiRequest } from '../transports/request.ts';
import { toStatusResponse } from './write-status.ts';

const request: ApiRequest = {
  method: 'GET',
  path: '/apis',
  query: '',
  headers: {},
  protocol: 'http/1.1',
  secure: false,
  remoteAddress: '127.0.0.1',
  readBody: async () => Buffer.alloc(0),
  onDisconnect: () => undefined,
};

function write(thrown: unknown) {
  const lines: string[] = [];
  const keep = (message: string) => lines.push(message);
  const log: Log = { error: keep, warn: keep, info: keep, debug: keep };
  const response = toStatusResponse(thrown, testContext(request), log);
  return { response, body: JSON.parse(Buffer.concat(response.body).toString('utf8')) as unknown, lines };
}

describe('write-status', () => {
  it('writes a StatusError as its Status and logs nothing', () => {
    const { response, body, lines } = write(notFound({ group: 'batch', resource: 'cronjobs' }, 'a'));
    expect(response.code).toBe(404);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'cronjobs.batch "a" not found',
      reason: 'NotFound',
      details: { name: 'a', group: 'batch', kind: 'cronjobs' },
      code: 404,
    });
    expect(lines).toEqual([]);
  });

  it('answers anything else with 500, says nothing of it, and logs it once', () => {
    const { response, body, lines } = write(new TypeError('secret detail'));
    expect(response.code).toBe(500);
    expect(body).toMatchObject({ reason: 'InternalError', code: 500 });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(lines).toHaveLength(1);
  });

  it('takes what is no Error at all', () => {
    expect(write('text').response.code).toBe(500);
  });

  it('repeats retryAfterSeconds as a header', () => {
    const { response } = write(new StatusError('Timeout', 'slow', { details: { retryAfterSeconds: 1 } }));
    expect(response.headers['Retry-After']).toBe('1');
  });

  it('gives an expired list its fresh token', () => {
    expect(write(new StatusError('Expired', 'old', { continueToken: 'next' })).body).toMatchObject({
      code: 410,
      metadata: { continue: 'next' },
    });
  });
});
