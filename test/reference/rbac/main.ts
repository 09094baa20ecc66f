/**
 * `make compare-rbac`: asks Kubernetes' own RBAC authorizer and this server's about random policies. The code is 1 when
 * an answer differs. `COUNT` decisions (100,000), `SEED`; `WRITE_VECTORS=1` writes `test/vectors/rbac` anew instead.
 */
import { writeFile } from 'node:fs/promises';
import { difference } from './differences.ts';
import { drawHistory } from './history.ts';
import { openKubernetesAuthorizer, type KubernetesAuthorizer } from './kubernetes.ts';
import { OwnRbac } from './own.ts';
import type { Question, RbacObject } from './policy.ts';
import { makeVectors, VECTORS_FILE, writeVectors } from './vectors.ts';

const DECISIONS = 100_000;
/** Of each sort. */
const SHOWN = 3;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Counts {
  decisions: number;
  allowed: number;
  unresolved: number;
  others: number;
  /** By what differs. */
  readonly differences: Map<string, number>;
}

async function compare(kubernetes: KubernetesAuthorizer, seed: string, decisions: number): Promise<Counts> {
  const counts: Counts = { decisions: 0, allowed: 0, unresolved: 0, others: 0, differences: new Map() };
  for (let number = 0; counts.decisions < decisions; number++) {
    const own = new OwnRbac();
    for (const { changes, isGap, policy, questions } of drawHistory(`${seed}/${number}`)) {
      if (isGap) own.readAgain(policy);
      else own.change(changes);
      const answers = await kubernetes.ask(policy, questions);
      for (const [at, question] of questions.entries()) {
        const expected = answers[at];
        if (expected === undefined) throw new Error('the authorizer of Kubernetes did not answer every question');
        if (question.about === 'access') {
          counts.decisions++;
          if (expected.allowed) counts.allowed++;
          else if (expected.reason !== undefined) counts.unresolved++;
        } else counts.others++;
        const differs = difference(question, expected, await own.answer(question));
        if (differs === undefined) continue;
        const sort = `${question.about} ${differs.slice(0, differs.indexOf(':'))}`;
        const count = (counts.differences.get(sort) ?? 0) + 1;
        counts.differences.set(sort, count);
        if (count <= SHOWN) say(shown(number, question, differs, policy));
      }
    }
  }
  return counts;
}

const shown = (history: number, question: Question, differs: string, policy: readonly RbacObject[]): string =>
  [`history ${history}: ${JSON.stringify(question)}`, differs, ...policy.map((object) => JSON.stringify(object))].join('\n  ');

const { SEED: seed = String(Date.now() % 1_000_000), COUNT: count = '', WRITE_VECTORS: writes = '' } = process.env;
const kubernetes = await openKubernetesAuthorizer();
try {
  if (writes !== '') {
    await writeFile(VECTORS_FILE, writeVectors(await makeVectors(kubernetes)));
  } else {
    say(`SEED=${seed}`);
    const counts = await compare(kubernetes, seed, count === '' ? DECISIONS : Number(count));
    const differences = [...counts.differences.values()].reduce((sum, count) => sum + count, 0);
    for (const [sort, count] of counts.differences) say(`${sort}: ${count} differences`);
    say(
      `${counts.decisions} decisions (${counts.allowed} allowed, ${counts.unresolved} with roles that do not exist), ` +
        `${counts.others} other questions, ${differences} differences`,
    );
    process.exitCode = differences === 0 ? 0 : 1;
  }
} finally {
  await kubernetes.close();
}
