import type { Kind } from '../../../kind.ts';
import { table } from './columns.ts';
import { createDefinition } from './definition.gen.ts';
import { RoleBindingShape } from './shapes.gen.ts';
import { createStrategy } from './strategy.ts';

export const createKind = (groupSuffix: string): Kind => ({
  definition: createDefinition(groupSuffix),
  shape: RoleBindingShape,
  table,
  strategy: createStrategy(groupSuffix),
});
