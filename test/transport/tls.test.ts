/** The HTTPS port: versions, protocols, client certificates, resumed sessions, and what is not TLS at all. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSecureListener } from '../../pkg/server/lifecycle/listener.ts';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { OpenRequests } from '../../pkg/server/filters/drain.ts';
import { ca, client, dial, dialTls, exchange, openSecure, readAll, SHORT, tls } from './transport.ts';
import type { Transport } from './transport.ts';

const dir = mkdtempSync(join(tmpdir(), 'coxswain-tls-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** A CA of its own and a client certificate from it. */
function issue(subject: string, ...more: readonly string[]): { ca: string; cert: string; key: string } {
  const path = (name: string) => join(dir, name);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=other CA', '-days', '3650');
  openssl('req', ...newKey, '-keyout', 'c.key', '-out', 'c.csr', '-subj', subject, ...more);
  openssl('x509', '-req', '-in', 'c.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'c.pem', '-days', '3650');
  const read = (name: string) => readFileSync(path(name), 'utf8');
  return { ca: read('ca.pem'), cert: read('c.pem'), key: read('c.key') };
}

let transport: Transport<Awaited<ReturnType<typeof openSecureListener>>>;
beforeEach(async () => {
  transport = await openSecure({ limits: SHORT });
});
afterEach(async () => {
  await transport.untilQuiet();
  await transport.listener.stop(0);
});

const CERTIFICATE = 'GET /certificate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
interface Shown {
  readonly failure?: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
}
const parse = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Shown | null;
const shown = async (socket: TLSSocket) => parse(await exchange(socket, CERTIFICATE));

describe('The HTTPS port', () => {
  it.each([
    ['h2', ['h2', 'http/1.1']],
    ['h2', ['http/1.1', 'h2']],
    ['http/1.1', ['http/1.1']],
  ])('agrees on %s with a client that offers %j', async (agreed, offered) => {
    const socket = await dialTls(transport.port, { ALPNProtocols: offered });
    expect(socket.alpnProtocol).toBe(agreed);
    socket.destroy();
  });

  it('speaks HTTP/1.1 with a client that offers nothing', async () => {
    expect(await shown(await dialTls(transport.port))).toBeNull();
  });

  it('speaks TLS 1.2 and 1.3, and nothing older', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await dialTls(transport.port, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(dialTls(transport.port, old)).rejects.toThrow();
  });

  describe('client certificates', () => {
    it('are handed on with name and groups in order', async () => {
      const { ca: clientCa, ...credentials } = issue('/O=system:masters/O=b/CN=first/CN=admin');
      transport.listener.replaceTls({ ...tls, clientCa: `${ca}\n${clientCa}` });
      expect(await shown(await dialTls(transport.port, credentials))).toEqual({
        commonName: 'admin',
        organizations: ['system:masters', 'b'],
        fingerprint256: expect.stringMatching(/^[0-9a-f]{64}$/),
        validUntil: expect.any(Number),
      });
      expect(await shown(await dialTls(transport.port, client))).toMatchObject({ commonName: 'client' });
    });

    it('that another CA signed are handed on with the reason, not refused', async () => {
      const { cert, key } = issue('/CN=stranger');
      expect(await shown(await dialTls(transport.port, { cert, key }))).toMatchObject({
        commonName: 'stranger',
        failure: expect.any(String),
      });
    });

    it('are needed: a bundle without one is refused, and changes nothing', async () => {
      expect(() => transport.listener.replaceTls({ ...tls, clientCa: '' })).toThrow('no certificate');
      expect(() => transport.listener.replaceTls({ ...tls, key: client.key })).toThrow();
      expect(await shown(await dialTls(transport.port, client))).not.toHaveProperty('failure');
    });

    it.each(['TLSv1.2', 'TLSv1.3'] as const)(
      'are the same on a resumed session of %s, and count no more once the CA has changed',
      async (version) => {
        const options = { ...client, minVersion: version, maxVersion: version };
        // The ticket that comes last is the one a client keeps.
        const sessions: Buffer[] = [];
        const first = await dialTls(transport.port, options, (ticket) => sessions.push(ticket));
        const fresh = await shown(first);
        const session = sessions.at(-1);
        if (session === undefined) throw new Error('no session to resume');
        const again = await dialTls(transport.port, { ...options, session });
        const reused = again.isSessionReused();
        expect([reused, await shown(again)]).toEqual([true, fresh]);
        transport.listener.replaceTls({ ...tls, clientCa: issue('/CN=x').ca });
        const after = await dialTls(transport.port, { ...options, session });
        expect([after.isSessionReused(), await shown(after)]).toEqual([false, { ...fresh, failure: expect.any(String) }]);
      },
    );
  });

  describe('connections that are open when the CA of clients changes', () => {
    const other = () => ({ ...tls, clientCa: issue('/CN=x').ca });
    const kept = 'GET /certificate HTTP/1.1\r\nHost: x\r\n\r\n';

    it('are closed when they are idle', async () => {
      const idle = await dialTls(transport.port, client);
      const all = exchange(idle, kept);
      await once(idle, 'data');
      transport.listener.replaceTls(other());
      expect(await all).not.toMatch(/failure|Connection: close/);
    });

    it('prove nothing by the certificate that they showed', async () => {
      const waiting = await dialTls(transport.port, client);
      transport.listener.replaceTls(other());
      expect(await exchange(waiting, kept)).toMatch(/Connection: close[^]*"failure":"the CA of clients has changed/);
    });

    it('end what runs, and take no more: HTTP/2', async () => {
      const opened = connect(transport.listener.url, { ca, ...client, servername: 'localhost' });
      opened.on('error', () => undefined);
      const watch = opened.request({ ':path': '/watch' });
      await once(watch, 'data');
      const told = once(opened, 'goaway');
      transport.listener.replaceTls(other());
      await told;
      expect([watch.closed, transport.running()]).toEqual([false, 1]);
      watch.close(8);
      await once(opened, 'close');
    });

    it('stay when only the certificate of the server changes', async () => {
      const idle = await dialTls(transport.port, client);
      const all = readAll(idle);
      idle.write(kept);
      await once(idle, 'data');
      transport.listener.replaceTls({ ...tls });
      idle.write(CERTIFICATE);
      expect((await all).match(/"commonName":"client"/g)).toHaveLength(2);
    });
  });

  it('says in plain text that it wants HTTPS', async () => {
    expect(await exchange(await dial(transport.port), 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
      /^HTTP\/1.0 400 Bad Request\r\n[^]*\r\n\r\nClient sent an HTTP request to an HTTPS server.\n$/,
    );
  });

  it.each([
    ['garbage', Buffer.from('\x01\x02garbage')],
    ['a hello that is none', Buffer.from('160301000501000000ff', 'hex')],
    ['a record that is too large', Buffer.from('160301ffff', 'hex')],
  ])('closes on %s', async (_, bytes) => {
    await exchange(await dial(transport.port), bytes);
  });

  it('cuts a handshake that hangs', async () => {
    await Promise.all([readAll(await dial(transport.port)), exchange(await dial(transport.port), Buffer.from('1603010200', 'hex'))]);
  });

  it('answers curl on both protocols', async () => {
    const run = promisify(execFile);
    const pem = (name: string) => new URL(`../support/testdata/tls/${name}.pem`, import.meta.url).pathname;
    for (const [flag, version] of [
      ['--http1.1', '1.1'],
      ['--http2', '2'],
    ] as const) {
      const base = ['-s', '--max-time', '5', flag, '--cacert', pem('ca'), '--cert', pem('client'), '--key', pem('client-key')];
      const { url } = transport.listener;
      expect((await run('curl', [...base, '-w', ' %{http_version} %{http_code}', `${url}/certificate`])).stdout).toMatch(
        new RegExp(`"commonName":"client".* ${version} 200$`),
      );
      expect((await run('curl', [...base, '-I', `${url}/`])).stdout).toMatch(/content-length: 5/i);
      expect((await run('curl', [...base, '-H', 'Expect: 100-continue', '-d', 'abcd', `${url}/echo`])).stdout).toBe('abcd');
      const refused = ['-o', '/dev/null', '-w', '%{http_code}', '--data-binary', `@${process.execPath}`, `${url}/echo`];
      expect((await run('curl', [...base, ...refused])).stdout).toBe('413');
    }
  });

  it.each([
    ['0.0.0.0', /^https:\/\/127\.0\.0\.1:[0-9]+$/],
    ['127.0.0.1', /^https:\/\/127\.0\.0\.1:[0-9]+$/],
    ['localhost', /^https:\/\/localhost:[0-9]+$/],
  ])('names itself as clients reach it: bound to %s', async (host, url) => {
    const openRequests = new OpenRequests();
    const respond = async () => ({ code: 200, headers: {}, body: [] });
    const listener = await openSecureListener({ host, port: 0, tls, respond, openRequests, clock: systemClock });
    expect(listener.url).toMatch(url);
    await listener.stop(0);
  });

  it('rejects when the port is taken', async () => {
    const respond = async () => ({ code: 200, headers: {}, body: [] });
    const options = { host: '127.0.0.1', port: transport.port, tls, respond, openRequests: new OpenRequests(), clock: systemClock };
    await expect(openSecureListener(options)).rejects.toThrow('EADDRINUSE');
  });
});
