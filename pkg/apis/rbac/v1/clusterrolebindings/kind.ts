import type { Kind } from '../../../kind.ts';
import { table } from './columns.ts';
import { createDefinition } from './definition.gen.ts';
import { ClusterRoleBindingShape } from './shapes.gen.ts';
import { createStrategy } from './strategy.ts';

export const createKind = (groupSuffix: string): Kind => ({
  definition: createDefinition(groupSuffix),
  shape: ClusterRoleBindingShape,
  table,
  strategy: createStrategy(groupSuffix),
});
