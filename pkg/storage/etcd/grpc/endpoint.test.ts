import { describe, expect, it } from '@jest/globals';
import { parseEndpoint } from './endpoint.ts';

describe('an endpoint', () => {
  it.each([
    ['http://10.0.0.1:2379', '10.0.0.1', 2379, '10.0.0.1:2379', false],
    ['https://etcd.example', 'etcd.example', 2379, 'etcd.example:2379', true],
    // The default port of a scheme counts when it is written: a proxy may listen there.
    ['https://etcd.example:443', 'etcd.example', 443, 'etcd.example:443', true],
    ['https://etcd.example:443/', 'etcd.example', 443, 'etcd.example:443', true],
    ['http://etcd.example:80', 'etcd.example', 80, 'etcd.example:80', false],
    ['https://etcd.example:80', 'etcd.example', 80, 'etcd.example:80', true],
    ['http://[::1]:80', '::1', 80, '[::1]:80', false],
    ['http://[fd00::443]', 'fd00::443', 2379, '[fd00::443]:2379', false],
    ['HTTPS://Etcd.Example:0443', 'etcd.example', 443, 'etcd.example:443', true],
    ['http://etcd.example/a:80', 'etcd.example', 2379, 'etcd.example:2379', false],
  ])('%s is where it says', (server, host, port, authority, secure) => {
    const endpoint = parseEndpoint(server, undefined);
    expect(endpoint).toMatchObject({ host, port, authority });
    expect(endpoint?.tls !== undefined).toBe(secure);
  });

  it.each(['localhost:2379', 'unix:///run/etcd', 'http://', 'etcd'])('rejects %s', (server) => {
    expect(parseEndpoint(server, undefined)).toBeUndefined();
  });
});
