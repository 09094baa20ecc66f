/** What an audit of everything at Metadata, to a file, costs creates: two servers, with and without it, in turns. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/server.ts';
import { createObjects, prepareObjects, type Objects } from './objects.ts';
import type { Report } from './report.ts';
import { ownTarget, type OwnTargetName } from './target.ts';

const CLIENTS = 16;
const TURNS = 5;
const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n';

export async function auditRow(backend: OwnTargetName, report: Report, seconds: number): Promise<void> {
  const directory = await temporaryDirectory();
  const policy = join(directory.path, 'policy.yaml');
  await writeFile(policy, POLICY);
  const flags = ['--audit-policy-file', policy, '--audit-log-path', join(directory.path, 'audit.log')];
  const plain = await ownTarget(backend);
  const audited = await ownTarget(backend, { flags });
  try {
    const both: readonly (readonly [string, Objects, number[]])[] = [
      ['without audit', await prepareObjects(plain), []],
      ['audited at Metadata', await prepareObjects(audited), []],
    ];
    for (let turn = -1; turn < TURNS; turn++) {
      for (const [, objects, rates] of turn % 2 === 0 ? both : both.toReversed()) {
        const { perSecond } = await createObjects(objects, CLIENTS, seconds / TURNS);
        // The first turn warms both up.
        if (turn >= 0) rates.push(perSecond);
      }
    }
    for (const [name, , rates] of both) {
      const value = rates.toSorted((a, b) => a - b)[Math.floor(TURNS / 2)] ?? 0;
      report.add({ target: backend, name: `create, ${CLIENTS} clients, ${name}`, value, unit: '/s', details: {} });
    }
  } finally {
    await plain.close();
    await audited.close();
    await directory.remove();
  }
}
