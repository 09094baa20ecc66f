/** The end of the chain: calls the handler of the resource or path. */
import type { PathTable } from '../handlers/path-table.ts';
import type { ResourceTable } from '../handlers/resource-table.ts';
import type { AuthenticatedContext, FilterStep } from './context.ts';

export interface DispatchOptions {
  readonly resourceTable: ResourceTable;
  readonly pathTable: PathTable;
}

export const createDispatch =
  ({ resourceTable, pathTable }: DispatchOptions): FilterStep<AuthenticatedContext> =>
  (context) => {
    const { info } = context;
    return info.isResource ? resourceTable.respond(context, info) : pathTable.respond(context, info);
  };
