/** What the compiled validators in `validators.gen.ts` look like, and how they collect errors. */

/** One failure as Ajv reports it. */
export interface CompiledError {
  /** JSON pointer to the value. */
  readonly instancePath: string;
  /** `type` and `scalar` from the type validators, `required`, `filled` and `enum` from the field validators. */
  readonly keyword: string;
  readonly params: { readonly missingProperty?: string; readonly allowedValues?: readonly string[] };
}

export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: readonly CompiledError[] | null;
}

/** By the name of the shape. */
export type CompiledValidators = Readonly<Record<string, { readonly types: CompiledValidator; readonly fields: CompiledValidator }>>;

/** The longest list of causes that an answer carries. Further ones are dropped. */
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

/** Appends in place: joining by copies would be quadratic in the number of errors. */
export function joinErrors(errors: CompiledError[] | null, more: CompiledError[]): CompiledError[] {
  if (errors === null) return more;
  for (const error of more.slice(0, MAX_ERRORS - errors.length)) errors.push(error);
  return errors;
}
