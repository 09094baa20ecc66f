import type { Kind } from '../../../kind.ts';
import { table } from './columns.ts';
import { createCoreView } from './core/view.ts';
import { createDefinition } from './definition.gen.ts';
import { EventShape } from './shapes.gen.ts';
import { strategy } from './strategy.ts';

export function createKind(groupSuffix: string): Kind {
  const kind: Kind = {
    definition: createDefinition(groupSuffix),
    shape: EventShape,
    table,
    strategy,
    internal: { group: '', package: 'core' },
  };
  return { ...kind, views: [createCoreView(kind, groupSuffix)] };
}
