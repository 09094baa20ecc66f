/** The audit of the built server: what is written, when the policy changes, and what stops a start. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.ts';
import { runCoxswain, startSecureServer, startServer, temporaryDirectory, type ServerProcess } from '../support/server.ts';
import { createTokenClient } from '../support/token-client.ts';
import { waitFor } from '../support/wait.ts';

type Event = Readonly<Record<string, unknown>> & { readonly auditID: string; readonly stage: string };

const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';
const policyOf = (...rules: readonly string[]) =>
  ['apiVersion: audit.k8s.io/v1', 'kind: Policy', 'rules:', ...rules.map((rule) => `- ${rule}`)].join('\n');
const LEVELS = policyOf(
  '{level: None, verbs: [delete]}',
  '{level: RequestResponse, omitManagedFields: true, namespaces: [loud]}',
  '{level: Metadata}',
);

const idOf = ({ headers }: Answer): string => String(headers['audit-id']);

const parse = (text: string): readonly Event[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Event);

describe('The audit log', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: ServerProcess;
  const policy = () => path.join(directory.path, 'policy.yaml');
  const log = () => path.join(directory.path, 'audit.log');
  beforeAll(async () => {
    directory = await temporaryDirectory();
    await writeFile(policy(), LEVELS);
    server = await startServer([
      '--data-dir',
      path.join(directory.path, 'data'),
      '--audit-policy-file',
      policy(),
      '--audit-log-path',
      log(),
    ]);
  });
  afterAll(async () => {
    await server.stop();
    await directory.remove();
  });

  /** Once there are so many of this request. */
  const eventsOf = async (auditId: string, count: number): Promise<readonly Event[]> => {
    let found: readonly Event[] = [];
    await waitFor(
      async () => {
        found = parse(await readFile(log(), 'utf8')).filter(({ auditID }) => auditID === auditId);
        return found.length >= count;
      },
      { what: () => `${count} events of ${auditId}, there are ${found.length}` },
    );
    return found;
  };

  it('has the metadata of a request at its stages, under the Audit-Id of the answer', async () => {
    const answer = await server.post(CONFIG_MAPS, { metadata: { name: 'one' }, data: { secret: 'word' } });
    expect(answer.code).toBe(201);
    const events = await eventsOf(idOf(answer), 2);
    const common = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: idOf(answer),
      requestURI: CONFIG_MAPS,
      verb: 'create',
      user: { username: 'system:unsecured', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['127.0.0.1'],
      requestReceivedTimestamp: expect.stringMatching(/^20\d\d-.*\.\d{6}Z$/),
      stageTimestamp: expect.stringMatching(/^20\d\d-.*\.\d{6}Z$/),
    };
    const reference = { resource: 'configmaps', namespace: 'shop', apiVersion: 'v1' };
    expect(events).toMatchObject([
      { ...common, stage: 'RequestReceived', objectRef: reference },
      {
        ...common,
        stage: 'ResponseComplete',
        objectRef: { ...reference, name: 'one' },
        responseStatus: { metadata: {}, code: 201 },
        annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': expect.any(String) },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('word');
  });

  it('has both bodies where the policy says so, without managedFields', async () => {
    const answer = await server.post('/api/v1/namespaces/loud/configmaps', { metadata: { name: 'one' }, data: { a: 'b' } });
    const [, complete] = await eventsOf(idOf(answer), 2);
    expect(complete).toMatchObject({
      requestObject: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: 'b' } },
      responseObject: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one', namespace: 'loud' }, data: { a: 'b' } },
    });
    expect(JSON.stringify(complete)).not.toContain('managedFields');
  });

  it('has the beginning and the end of a watch', async () => {
    const answer = await server.get(`${CONFIG_MAPS}?watch=1&timeoutSeconds=1`);
    const events = await eventsOf(idOf(answer), 3);
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  });

  it('has the Status of a refusal', async () => {
    const answer = await server.get(`${CONFIG_MAPS}/nope`);
    const [, complete] = await eventsOf(idOf(answer), 2);
    expect(complete?.['responseStatus']).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'configmaps "nope" not found',
      reason: 'NotFound',
      details: { name: 'nope', kind: 'configmaps' },
      code: 404,
    });
  });

  it('follows the policy, keeps the last one that can be used, and counts both', async () => {
    const reloads = async (status: string) =>
      new RegExp(`coxswain_audit_policy_reloads_total\\{status="${status}"\\} (\\d+)`).exec((await server.get('/metrics')).text)?.[1] ??
      '0';
    await writeFile(policy(), policyOf('{level: Request, verbs: [get]}'));
    await waitFor(async () => (await reloads('success')) === '1', { what: 'the new policy' });
    await writeFile(policy(), 'kind: Policy');
    await waitFor(async () => (await reloads('failure')) === '1', { what: 'the broken policy' });
    expect(server.output()).toContain(`${policy()}:1:1: apiVersion: must be audit.k8s.io/v1`);
    const listed = await server.get(CONFIG_MAPS);
    const got = await server.get(`${CONFIG_MAPS}/one`);
    expect((await eventsOf(idOf(got), 2)).map(({ level }) => level)).toEqual(['Request', 'Request']);
    expect(await eventsOf(idOf(listed), 0)).toEqual([]);
  });
});

describe('Refused requests', () => {
  it('without a known user are audited', async () => {
    const directory = await temporaryDirectory();
    const [policy, log] = [path.join(directory.path, 'policy.yaml'), path.join(directory.path, 'audit.log')];
    await writeFile(policy, policyOf('{level: Metadata, resources: [{group: batch}]}'));
    const server = await startSecureServer(['--audit-policy-file', policy, '--audit-log-path', log, '--anonymous-auth=false']);
    await expect(createTokenClient(server, 'wrong')('GET', '/apis/batch/v1/cronjobs')).rejects.toThrow('"code":401');
    await server.stop();
    expect(parse(await readFile(log, 'utf8'))).toMatchObject([
      { stage: 'ResponseStarted', user: {}, verb: 'list', responseStatus: { code: 401, reason: 'Unauthorized' } },
    ]);
    await directory.remove();
  });
});

describe('A start with an audit', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const policy = () => path.join(directory.path, 'policy.yaml');
  beforeAll(async () => {
    directory = await temporaryDirectory();
  });
  afterAll(() => directory.remove());

  it('writes to standard output, and everything before it ends', async () => {
    await writeFile(policy(), policyOf('{level: Metadata, resources: [{group: batch}]}'));
    const flags = ['--data-dir', path.join(directory.path, 'data'), '--audit-policy-file', policy(), '--audit-log-path', '-'];
    const server = await startServer(flags);
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.get('/apis/batch/v1/cronjobs')));
    await server.stop();
    const ids = new Set(parse(server.output()).flatMap(({ auditID, stage }) => (stage === 'ResponseComplete' ? [auditID] : [])));
    expect(ids).toEqual(new Set(answers.map(idOf)));
  });

  it.each([
    [policyOf('{level: All}'), ['--audit-log-path', '-'], 'policy.yaml:4:11: rules[0].level: Unsupported value: "All"'],
    [LEVELS, [], '--audit-policy-file requires --audit-log-path or --audit-webhook-config-file'],
    [LEVELS, ['--audit-log-path', '/dev/null/audit.log'], '--audit-log-path: '],
  ])('is refused with what is wrong: %#', async (text, flags, message) => {
    await writeFile(policy(), text);
    const { code, stderr } = await runCoxswain([
      'serve',
      '--data-dir',
      path.join(directory.path, 'other'),
      '--audit-policy-file',
      policy(),
      ...flags,
    ]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
