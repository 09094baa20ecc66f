import type { Kind } from '../../../kind.ts';
import { NAME_AND_AGE } from '../../../table.ts';
import { createDefinition } from './definition.gen.ts';
import { EventShape } from './shapes.gen.ts';
import { strategy } from './strategy.ts';

export const createKind = (groupSuffix: string): Kind => ({
  definition: createDefinition(groupSuffix),
  shape: EventShape,
  table: NAME_AND_AGE,
  strategy,
});
