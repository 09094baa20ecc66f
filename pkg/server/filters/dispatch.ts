/** The end of the chain: finds the handler by requestInfo. */
import type { PathTable } from '../handlers/path-table.ts';
import type { ResourceTable } from '../handlers/resource-table.ts';
import type { Step } from './context.ts';

export interface DispatchOptions {
  readonly resourceTable: ResourceTable;
  readonly pathTable: PathTable;
}

export const createDispatch =
  ({ resourceTable, pathTable }: DispatchOptions): Step =>
  (context) => {
    const { info } = context;
    if (info === undefined) throw new Error('the requestInfo step must run before the dispatch step');
    return info.isResource ? resourceTable.respond(context, info) : pathTable.respond(context, info);
  };
