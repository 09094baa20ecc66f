/** The condition `Dangling`: whether the priority level of a FlowSchema does not exist. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { toRfc3339Seconds } from '../../apimachinery/time/rfc3339.ts';

export interface StoredFlowSchema {
  readonly spec?: { readonly priorityLevelConfiguration?: { readonly name?: string } };
  readonly status?: { readonly conditions?: readonly Readonly<Partial<Record<'type' | 'status' | 'reason' | 'message', string>>>[] };
}

/** The condition that it should have; undefined: it has it. */
export function danglingCondition(
  { spec, status }: StoredFlowSchema,
  levelExists: (name: string) => boolean,
  nowMs: number,
): JsonObject | undefined {
  const level = spec?.priorityLevelConfiguration?.name ?? '';
  const exists = levelExists(level);
  const names = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  const wanted = {
    type: 'Dangling',
    status: exists ? 'False' : 'True',
    reason: exists ? 'Found' : 'NotFound',
    message: exists ? `${names} and it exists` : `${names} but there is no such object`,
  };
  const found = status?.conditions?.find(({ type }) => type === wanted.type);
  if (found?.status === wanted.status && found.reason === wanted.reason && found.message === wanted.message) return undefined;
  return { ...wanted, lastTransitionTime: toRfc3339Seconds(nowMs) };
}
