import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSecureServer, type SecureServer } from '../support/server.ts';
import { Connection, type Address } from './connection.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { bodyOf, get, namespaceOf, namespacePath, pathOf, withBody } from './sample-object.ts';

const TOKEN = 'a-token';
let server: SecureServer;
let sessions: Http2Sessions;
let address: Address;
beforeAll(async () => {
  server = await startSecureServer([], { tokens: [{ token: TOKEN, user: 'bench', groups: ['system:masters'] }] });
  sessions = new Http2Sessions({ url: server.url, ca: server.ca, token: TOKEN });
  address = { host: '127.0.0.1', port: server.port, secure: { ca: server.ca, token: TOKEN, sessions } };
});
afterAll(async () => {
  sessions.close();
  await server.kill();
});

it('The HTTP/2 client of the bench writes, reads and lists with a token, on more streams than a session has.', async () => {
  const connections = await Promise.all(Array.from({ length: 150 }, () => Connection.open(address)));
  const created = await Promise.all(
    connections.map((connection, index) =>
      connection.send(withBody('POST', namespacePath(namespaceOf(index)), bodyOf(index, 20_000)), true),
    ),
  );
  expect(new Set(created.map(({ code }) => code))).toEqual(new Set([201]));
  const read = await Promise.all(connections.map((connection, index) => connection.send(get(pathOf(index)), true)));
  expect(read.map(({ code, body }) => [code, (JSON.parse(body.toString()) as { metadata: { name: string } }).metadata.name])).toEqual(
    connections.map((_, index) => [200, pathOf(index).split('/').at(-1)]),
  );
  const list = await connections[0]?.send(get('/apis/batch/v1/cronjobs'), true);
  expect((JSON.parse(list?.body.toString() ?? '') as { items: readonly unknown[] }).items).toHaveLength(150);
  for (const connection of connections) connection.close();
});

it('It says when the server has gone away.', async () => {
  const connection = await Connection.open(address);
  const watch = connection.send(get(`/apis/batch/v1/cronjobs?watch=true&timeoutSeconds=60`));
  await Promise.all([expect(watch).rejects.toThrow(), server.kill()]);
});
