/** The options of a patch: those of every write, and what server-side apply alone has. */
import { NO_CAUSES, required } from '../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import { booleanOf, type Query } from '../filters/query.ts';
import { forbidden } from './option-checks.ts';
import { parseWriteOptions, type WriteQuery } from './write-options.ts';

export interface PatchQuery extends WriteQuery {
  /** An apply takes over what others own. */
  readonly force: boolean;
}

/** Throws StatusError Invalid: an apply must say who it is, and only an apply can be forced. */
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
