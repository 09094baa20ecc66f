/** `docs/adding-a-kind.md`, followed step by step in a copy of the sources: the kind that it adds is served. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CopiedTree, ROOT } from '../support/copied-tree.ts';
import { openKubectl, type Kubectl } from '../support/kubectl.ts';
import { startServer, temporaryDirectory, type ServerProcess, type TemporaryDirectory } from '../support/server.ts';

const PAGE = readFileSync(path.join(ROOT, 'docs/adding-a-kind.md'), 'utf8');
const FOLDER = 'pkg/apis/node/v1/runtimeclasses';
const PUBLISHED = 'test/docs/testdata/runtimeclass';
const COLLECTION = '/apis/node.k8s.io/v1/runtimeclasses';
/** Loading the compiler alone takes seconds when others run beside it. */
const STEP_MS = 180_000;

/** The files that the page shows: a path alone on a line, then the text. */
const shownFiles = [...PAGE.matchAll(/^`([^`\n]+)`\n\n```\w+\n(.*?)^```$/gms)].map(([, name = '', text = '']) => ({ name, text }));
const commands = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
  text
    .trim()
    .replaceAll(/ \\\n */g, ' ')
    .split('\n'),
);

const runtimeClass = (name: string, fields: object) => ({
  kind: 'RuntimeClass',
  apiVersion: 'node.k8s.io/v1',
  metadata: { name },
  ...fields,
});

describe('docs/adding-a-kind.md', () => {
  let tree: CopiedTree;
  let directory: TemporaryDirectory;
  let server: ServerProcess;
  let kubectl: Kubectl;
  beforeAll(async () => {
    tree = new CopiedTree();
    cpSync(path.join(ROOT, PUBLISHED), tree.path(PUBLISHED), { recursive: true });
    expect(await tree.run('cmd/codegen/main.ts')).toMatchObject({ code: 0, stderr: '' });
    directory = await temporaryDirectory();
    kubectl = await openKubectl({ server: () => server.baseUrl });
  }, STEP_MS);
  afterAll(async () => {
    await kubectl.close();
    await server.stop();
    await directory.remove();
    tree[Symbol.dispose]();
  });

  it('makes the facts by its first command', async () => {
    const [program = '', ...parameters] = (commands[0] ?? '').split(' ').slice(1);
    expect(program).toBe('cmd/codegen/make-facts.ts');
    expect(await tree.run(program, ...parameters)).toEqual({ code: 0, stdout: `wrote ${FOLDER}/facts.json\n`, stderr: '' });
  });

  it('is told of an input that is missing or broken, in one sentence', async () => {
    const missing = await tree.run('cmd/codegen/make-facts.ts', 'RuntimeClass', 'nowhere.json', `${PUBLISHED}/types.json`);
    expect(missing).toEqual({ code: 1, stdout: '', stderr: 'nowhere.json: there is no such file\n' });
    writeFileSync(tree.path('broken.json'), '{');
    const broken = await tree.run('cmd/codegen/make-facts.ts', 'RuntimeClass', 'broken.json', `${PUBLISHED}/types.json`);
    expect(broken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^broken\.json is not JSON: .*\n$/) });
    rmSync(tree.path('broken.json'));
    const { stderr } = await tree.run('cmd/codegen/make-facts.ts', 'RuntimeClass', PUBLISHED, `${PUBLISHED}/types.json`);
    expect(stderr).toMatch(/^test\/docs\/testdata\/runtimeclass cannot be read: .*\n$/);
  });

  it('shows every file that is asked for', async () => {
    const { stderr } = await tree.run('cmd/codegen/main.ts');
    const asked = stderr.split('\n').flatMap((line) => line.match(/^(.*) is missing: /)?.slice(1) ?? []);
    expect(shownFiles.map(({ name }) => name).sort()).toEqual(asked.sort());
    for (const { name, text } of shownFiles) {
      mkdirSync(path.dirname(tree.path(name)), { recursive: true });
      writeFileSync(tree.path(name), text);
    }
  });

  it(
    'needs one run of the generator, and what it shows and makes has the right types',
    async () => {
      expect(commands).toContain('make generate');
      expect(await tree.run('cmd/codegen/main.ts')).toMatchObject({ code: 0, stderr: '' });
      expect(await tree.run('cmd/codegen/main.ts', '--check')).toMatchObject({ code: 0, stderr: '' });
      const options = { noEmit: true, incremental: false, rootDir: '.' };
      writeFileSync(
        tree.path('tsconfig.kind.json'),
        JSON.stringify({ extends: './tsconfig.json', compilerOptions: options, include: [FOLDER, 'pkg/apis/kinds.gen.ts'] }),
      );
      expect(await tree.run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.kind.json')).toEqual({ code: 0, stdout: '', stderr: '' });
    },
    STEP_MS,
  );

  it('ends with a server that finds the kind', async () => {
    server = await startServer(['--data-dir', directory.path], { launcher: tree.path('bin/coxswain') });
    const group = { resources: [{ name: 'runtimeclasses', singularName: 'runtimeclass', kind: 'RuntimeClass', namespaced: false }] };
    expect((await server.get('/apis/node.k8s.io/v1')).json()).toMatchObject(group);
    const { stdout } = await kubectl.run(['api-resources', '--api-group', 'node.k8s.io', '--no-headers']);
    expect(stdout.split(/\s+/).slice(0, 4)).toEqual(['runtimeclasses', 'node.k8s.io/v1', 'false', 'RuntimeClass']);
    const explained = await kubectl.told(['explain', 'runtimeclass.scheduling.nodeSelector']);
    expect(explained).toContain('Labels that the nodes must have.');
  });

  it('has its example taken, and shown as a table', async () => {
    const created = await kubectl.told(['create', '-f', tree.path('examples/runtimeclass.yaml')]);
    expect(created).toBe('runtimeclass.node.k8s.io/sandboxed created\n');
    const [header = '', row = ''] = (await kubectl.told(['get', 'runtimeclasses'])).split('\n');
    expect(header.split(/\s+/)).toEqual(['NAME', 'HANDLER', 'AGE']);
    expect(row.split(/\s+/).slice(0, 2)).toEqual(['sandboxed', 'gvisor']);
  });

  it('has objects created, read, listed, watched, patched, applied and deleted, by the rules of its strategy', async () => {
    const watch = await server.watch(`${COLLECTION}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3Da`);
    expect((await server.post(COLLECTION, runtimeClass('a', { handler: 'runc' }))).code).toBe(201);
    const item = `${COLLECTION}/a`;
    expect((await server.get(item)).object()).toMatchObject({ kind: 'RuntimeClass', handler: 'runc' });

    const merge = {
      body: { overhead: { podFixed: { memory: '65536Ki' } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    };
    expect((await server.send('PATCH', item, merge)).object()['overhead']).toEqual({ podFixed: { memory: '64Mi' } });
    const apply = {
      body: runtimeClass('a', { handler: 'runc', scheduling: { nodeSelector: { disk: 'ssd' } } }),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    };
    const applied = (await server.send('PATCH', `${item}?fieldManager=m`, apply)).object();
    expect(applied).toMatchObject({ overhead: { podFixed: { memory: '64Mi' } }, scheduling: { nodeSelector: { disk: 'ssd' } } });
    expect(applied.metadata['managedFields']).toContainEqual(
      expect.objectContaining({ manager: 'm', fieldsV1: { 'f:handler': {}, 'f:scheduling': { 'f:nodeSelector': {} } } }),
    );

    const refused = await server.post(COLLECTION, runtimeClass('b', { handler: 'A', overhead: { podFixed: { cpu: '-1' } } }));
    expect(refused.status().details?.causes?.map(({ field }) => field)).toEqual(['handler', 'overhead.limits[cpu]']);
    const changed = { body: { handler: 'gvisor' }, headers: { 'content-type': 'application/merge-patch+json' } };
    expect((await server.send('PATCH', item, changed)).status().details?.causes).toEqual([
      { reason: 'FieldValueInvalid', message: 'Invalid value: "gvisor": field is immutable', field: 'handler' },
    ]);
    expect((await server.put(`${COLLECTION}/c`, runtimeClass('c', { handler: 'runc' }))).code).toBe(201);
    const { items } = (await server.get(COLLECTION)).list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'c', 'sandboxed']);

    expect((await server.delete(item)).code).toBe(200);
    const events = await watch.take(4);
    watch.close();
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
  });
});
