/** The type that Kubernetes has inside for all versions of a kind: some messages name it instead of the version's. */
import { groupName } from './group-name.ts';
import type { InternalType } from './kind.ts';

interface Typed {
  readonly definition: { readonly group: string };
  readonly internal?: InternalType;
}

/** The group in messages about an object as a whole. */
export const internalGroup = ({ definition, internal }: Typed): string => internal?.group ?? definition.group;

/** `core.EventList`: a type of the kind's package in Go. */
export function internalTypeName({ definition, internal }: Typed, type: string): string {
  const [packageName = ''] = groupName(definition.group).split('.', 1);
  return `${internal?.package ?? packageName}.${type}`;
}
