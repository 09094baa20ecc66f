/** Options of create, update and patch, from the query. */
import { fieldManagerCauses } from '../../apimachinery/meta/object-meta.ts';
import { NO_CAUSES, notSupported, tooLong } from '../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import type { Query } from '../filters/query.ts';
import { throwOptionCauses } from './option-checks.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteQuery {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
}

const FIELD_VALIDATIONS: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];
const MAX_MANAGER_BYTES = 128;
/** As Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** Throws Invalid with all causes; `moreCauses` come first. */
export function parseWriteOptions(
  query: Query,
  userAgent: string | undefined,
  optionsKind: OptionsKind,
  moreCauses: readonly StatusCause[] = NO_CAUSES,
): WriteQuery {
  const dryRun = query.all('dryRun');
  const fieldManager = query.first('fieldManager') ?? '';
  const validation = query.first('fieldValidation') ?? '';
  const fieldValidation = validation === '' ? 'Warn' : FIELD_VALIDATIONS.find((word) => word === validation);
  throwOptionCauses(optionsKind, [
    ...moreCauses,
    ...managerCauses(fieldManager),
    ...dryRunCauses(dryRun),
    ...(fieldValidation === undefined ? [notSupported('fieldValidation', validation, ['', ...FIELD_VALIDATIONS])] : []),
  ]);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: fieldManager === '' ? managerOf(userAgent) : fieldManager,
    fieldValidation: fieldValidation ?? 'Warn',
  };
}

/** `All` is the only supported stage; an empty value is an error. */
export const dryRunCauses = (stages: readonly string[]): StatusCause[] =>
  stages.every((stage) => stage === 'All') ? [] : [notSupported('dryRun', stages, ['All'])];

/** The specification asks for fewer than 128 characters; Kubernetes for at most 128 bytes. */
const managerCauses = (fieldManager: string): readonly StatusCause[] =>
  fieldManager.length === MAX_MANAGER_BYTES && Buffer.byteLength(fieldManager) === MAX_MANAGER_BYTES
    ? [tooLong('fieldManager', MAX_MANAGER_BYTES - 1)]
    : fieldManagerCauses(fieldManager);

/** The default manager: the program name from the User-Agent. */
export function managerOf(userAgent = ''): string {
  const [program = ''] = userAgent.split('/', 1);
  return program.replace(UNPRINTABLE, '').slice(0, MAX_MANAGER_BYTES);
}
