import type { Kind } from '../../../kind.ts';
import { table } from './columns.ts';
import { createDefinition } from './definition.gen.ts';
import { FlowSchemaShape } from './shapes.gen.ts';
import { strategy } from './strategy.ts';

export const createKind = (groupSuffix: string): Kind => ({
  definition: createDefinition(groupSuffix),
  shape: FlowSchemaShape,
  table,
  strategy,
});
