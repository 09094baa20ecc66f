import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { createLog } from './logging.ts';

function capture(format: 'text' | 'json', verbosity = 0) {
  const stream = new PassThrough();
  return { log: createLog({ format, verbosity, stream }), text: () => String(stream.read() ?? '') };
}

describe('Log', () => {
  it('writes one JSON object per line with the fields beside the message', () => {
    const { log, text } = capture('json');
    log.warn('the store is slow', { ms: 12, revision: 5n });
    expect(JSON.parse(text())).toMatchObject({ level: 'warn', msg: 'the store is slow', ms: 12, revision: '5' });
  });

  it('keeps the stack and the causes of an error', () => {
    const { log, text } = capture('text');
    log.error('request failed', { error: new Error('outer', { cause: new Error('inner') }) });
    const written = text();
    expect(written).toContain('error="outer"');
    expect(written).toContain('Error: inner\n    at ');
  });

  it('leaves debug lines out below verbosity 2', () => {
    const { log, text } = capture('json');
    log.debug('detail');
    expect(text()).toBe('');
  });
});
