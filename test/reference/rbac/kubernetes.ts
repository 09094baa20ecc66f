/** Kubernetes' own authorizer: a program in Go, a line for each policy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildGoProgram } from '../../support/go-program.ts';
import type { Answer, Question, RbacObject } from './policy.ts';

const MODULE = join(import.meta.dirname, '../../support/reference');

export interface KubernetesAuthorizer {
  /** The answers have the order of the questions. Calls are answered in turn. */
  ask(policy: readonly RbacObject[], questions: readonly Question[]): Promise<readonly Answer[]>;
  close(): Promise<void>;
}

/** Wants Go; `program`: one that was built before. */
export async function openKubernetesAuthorizer(program?: string): Promise<KubernetesAuthorizer> {
  const path = program ?? (await buildGoProgram({ module: MODULE, folder: 'rbac-authorizer', name: 'rbac-authorizer' }));
  const running = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(running, 'exit');
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (policy, questions) => {
      running.stdin.write(`${JSON.stringify({ policy: byKind(policy), questions })}\n`);
      const { done, value } = await lines.next();
      if (done === true) throw new Error('the authorizer of Kubernetes ended');
      return JSON.parse(value) as readonly Answer[];
    },
    close: async () => {
      running.stdin.end();
      await exited;
    },
  };
}

function byKind(policy: readonly RbacObject[]): Readonly<Record<string, readonly RbacObject[]>> {
  const of = (kind: RbacObject['kind']) => policy.filter((object) => object.kind === kind);
  return {
    roles: of('Role'),
    clusterRoles: of('ClusterRole'),
    roleBindings: of('RoleBinding'),
    clusterRoleBindings: of('ClusterRoleBinding'),
  };
}
