/** Options of a patch: those of every write, and those of server-side apply. */
import { forbidden, NO_CAUSES, required } from '../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import { booleanOf, type Query } from '../filters/query.ts';
import { parseWriteOptions, type WriteQuery } from './write-options.ts';

export interface PatchQuery extends WriteQuery {
  /** Takes over fields that others own. */
  readonly force: boolean;
}

/** Throws Invalid unless an apply names its manager and only an apply is forced. */
export function parsePatchOptions(query: Query, userAgent: string | undefined, { isApply }: { readonly isApply: boolean }): PatchQuery {
  const force = booleanOf(query, 'force');
  const causes = isApply ? applyCauses(query) : forceCauses(force);
  return { ...parseWriteOptions(query, userAgent, 'PatchOptions', causes), force: force === true };
}

const applyCauses = (query: Query): readonly StatusCause[] =>
  (query.first('fieldManager') ?? '') === '' ? [required('fieldManager', 'is required for apply patch')] : NO_CAUSES;

/** Even `force=false` is refused. */
const forceCauses = (force: boolean | undefined): readonly StatusCause[] =>
  force === undefined ? NO_CAUSES : [forbidden('force', 'may not be specified for non-apply patch')];
