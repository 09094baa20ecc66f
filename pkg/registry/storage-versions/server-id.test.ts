import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createServerId, isServerId } from './server-id.ts';

const fixed = () => Buffer.from('0a1b2c3d', 'hex');

describe('The id of a server', () => {
  it.each([
    ['api-1.example.com', 'api-1.example.com-0a1b2c3d'],
    ['API_Server', 'api-server-0a1b2c3d'],
    ['-a-.-.b', 'a.b-0a1b2c3d'],
    ['…', 'server-0a1b2c3d'],
    ['', 'server-0a1b2c3d'],
    ['a'.repeat(300), `${'a'.repeat(200)}-0a1b2c3d`],
  ])('is made of the host name %j', (hostName, id) => {
    expect(createServerId(hostName, fixed)).toBe(id);
  });

  it('is a DNS subdomain, whatever the machine is called', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 260 }), (hostName) => isServerId(createServerId(hostName, randomBytes))));
  });
});
