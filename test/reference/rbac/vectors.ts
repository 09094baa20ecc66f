/** Vectors of `test/vectors/rbac`: small policies, questions about them, and what Kubernetes answers. */
import { join } from 'node:path';
import { Draw } from '../draw.ts';
import { drawGrant, drawPair, drawRulesQuestion } from './draw-questions.ts';
import { drawPolicy } from './history.ts';
import type { KubernetesAuthorizer } from './kubernetes.ts';
import type { Answer, Question, RbacObject } from './policy.ts';

export const VECTORS_FILE = join(import.meta.dirname, '../../vectors/rbac/answers.json');

const POLICIES = 44;
const CHANGES = 24;
const DRAWN_PAIRS = 40;
const PAIRS = 6;
const GRANTS = 1;

type AnsweredQuestion = Question & { readonly expected: Answer };

export interface RbacVector {
  readonly name: string;
  readonly policy: readonly RbacObject[];
  readonly questions: readonly AnsweredQuestion[];
}

/** The same each time. Decisions come in pairs: the second differs in a word, which decides. */
export async function makeVectors(kubernetes: KubernetesAuthorizer): Promise<readonly RbacVector[]> {
  const vectors: RbacVector[] = [];
  for (let number = 1; vectors.length < POLICIES; number++) {
    const draw = new Draw(`vectors-c/${number}`);
    const policy = drawPolicy(draw, CHANGES);
    const answered = async (questions: readonly Question[]): Promise<readonly AnsweredQuestion[]> => {
      const answers = await kubernetes.ask(policy, questions);
      return questions.flatMap((question, at) => (answers[at] === undefined ? [] : [{ ...question, expected: answers[at] }]));
    };
    const pairs = await Promise.all(Array.from({ length: DRAWN_PAIRS }, () => drawPair(draw, policy) ?? []).map(answered));
    const telling = pairs.filter(([first, second]) => first?.expected.allowed !== second?.expected.allowed).slice(0, PAIRS);
    if (telling.length < PAIRS) continue;
    const others = [drawRulesQuestion(draw, policy), ...Array.from({ length: GRANTS }, () => drawGrant(draw, policy))];
    vectors.push({ name: `policy ${number}`, policy, questions: [...telling.flat(), ...(await answered(others))] });
  }
  return vectors;
}

/** An object or a question a line. */
export function writeVectors(vectors: readonly RbacVector[]): string {
  const lines = (values: readonly unknown[]) => values.map((value) => `   ${JSON.stringify(value)}`).join(',\n');
  const written = vectors.map(
    ({ name, policy, questions }) =>
      ` {\n  "name": ${JSON.stringify(name)},\n  "policy": [\n${lines(policy)}\n  ],\n  "questions": [\n${lines(questions)}\n  ]\n }`,
  );
  return `[\n${written.join(',\n')}\n]\n`;
}
