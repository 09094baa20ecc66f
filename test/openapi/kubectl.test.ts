/** kubectl, unmodified, with what it learns from `/openapi`: explain, and the checks before create and apply. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KINDS } from '../support/kinds.ts';
import { openKubectl, type Kubectl } from '../support/kubectl.ts';
import { startServer, temporaryDirectory, type ServerProcess, type TemporaryDirectory } from '../support/server.ts';

const examples = resolve(import.meta.dirname, '../../examples');
/** Older ones know the document of 2.0 only, and tell it in other words. */
const FIRST_MINOR_WITH_V3 = 27;

describe.each(['k8s.io', 'example.com'])('kubectl with the group suffix %s', (suffix) => {
  let directory: TemporaryDirectory;
  let server: ServerProcess;
  let kubectl: Kubectl;
  let readsV3 = false;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startServer(['--data-dir', directory.path, '--group-suffix', suffix]);
    kubectl = await openKubectl({ server: () => server.baseUrl });
    const { stdout } = await kubectl.run(['version', '--client', '-o', 'json']);
    const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string } };
    readsV3 = parseInt(clientVersion.minor, 10) >= FIRST_MINOR_WITH_V3;
  }, 200_000);
  afterAll(async () => {
    await kubectl.close();
    await server.stop();
    await directory.remove();
  });

  /** What it printed; undefined when this kubectl says it in other words. */
  const explained = async (...args: string[]): Promise<string | undefined> => {
    const { code, stdout, stderr } = await kubectl.run(['explain', ...args]);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return readsV3 ? stdout : undefined;
  };

  it.each(KINDS)('explains $kind and its fields', async ({ resource, group, kind, apiVersion }) => {
    const told = await explained(resource, `--api-version=${apiVersion.replace('k8s.io', suffix)}`);
    if (told === undefined) return;
    expect(told).toMatch(new RegExp(`KIND: +${kind}\n`));
    expect(told).toContain(group.replace('k8s.io', suffix));
    expect(told).toMatch(/metadata\t<ObjectMeta>( -required-)?\n +Name, labels and bookkeeping/);
    expect(told).not.toContain('<no description>');
  });

  it('explains fields within fields, with their words and what they mean', async () => {
    const told = await explained('cronjob.spec.concurrencyPolicy');
    if (told === undefined) return;
    expect(told).toMatch(/ENUM:\n +Allow\n +Forbid\n +Replace\n/);
    expect(await explained('cronjob.spec.schedule')).toContain('Five cron fields');
  });

  it('explains everything below a field at once', async () => {
    const told = await explained('cronjob.spec.jobTemplate', '--recursive');
    if (told === undefined) return;
    for (const field of [
      'template\t<PodTemplateSpec> -required-',
      'containers\t<[]Container> -required-',
      'envFrom\t<[]EnvFromSource>',
      'onExitCodes',
    ]) {
      expect(told).toContain(field);
    }
  });

  it('creates with its usual checks, and names an unknown field by its path', async () => {
    const text = (await readFile(resolve(examples, 'cronjob.yaml'), 'utf8')).replace(/^ {2}name: .*/m, '  name: checked');
    const misspelt = await kubectl.run(['create', '-f', '-'], { input: text.replace('schedule:', 'shedule:') });
    expect(misspelt.code).toBe(1);
    expect(misspelt.stderr).toMatch(/unknown field "(spec\.)?shedule"/);
    const created = await kubectl.run(['create', '-f', '-'], { input: text });
    expect(created).toMatchObject({ code: 0, stderr: '' });
  });

  it('applies new objects', async () => {
    const text = (await readFile(resolve(examples, 'controllerrevision.yaml'), 'utf8')).replace(/^ {2}name: .*/m, '  name: applied');
    if (!readsV3) return;
    expect(await kubectl.run(['apply', '-f', '-'], { input: text })).toMatchObject({ code: 0, stderr: '' });
    expect((await kubectl.run(['apply', '-f', '-'], { input: text })).stdout).toContain('unchanged');
  });
});
