/** The interface of the compiled validators in `validators.gen.ts`, and their error collection. */

/** An error as Ajv reports it. */
export interface CompiledError {
  /** JSON pointer to the value. */
  readonly instancePath: string;
  /** Type validators report `type` and `scalar`, field validators `required`, `filled` and `enum`. */
  readonly keyword: string;
  readonly params: { readonly missingProperty?: string; readonly allowedValues?: readonly string[] };
}

export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

/** By shape name. */
export type CompiledValidators = Readonly<Record<string, { readonly types: CompiledValidator; readonly fields: CompiledValidator }>>;

/** Limit for the causes in a response. Further ones are dropped. */
export const MAX_ERRORS = 1000;

export function addError(
  errors: CompiledError[] | null,
  instancePath: string,
  keyword: string,
  params: CompiledError['params'] = {},
): CompiledError[] {
  const error = { instancePath, keyword, params };
  if (errors === null) return [error];
  if (errors.length < MAX_ERRORS) errors.push(error);
  return errors;
}

/** Appends in place, because copying would be quadratic in the number of errors. */
export function joinErrors(errors: CompiledError[] | null, more: CompiledError[]): CompiledError[] {
  if (errors === null) return more;
  for (const error of more.slice(0, MAX_ERRORS - errors.length)) errors.push(error);
  return errors;
}
