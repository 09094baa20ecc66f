/**
 * Errors as clients see them: the `Status` kind of meta/v1 and the error class that becomes it. Converted to a body
 * only in `pkg/server/responses/status-response.ts`.
 */

/** The HTTP status code of each reason in kube-apiserver (`metav1.StatusReason`). */
const CODES = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  StorageReadError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

export type StatusReason = keyof typeof CODES;

export type CauseReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'
  | 'UnexpectedServerResponse'
  | 'FieldManagerConflict'
  | 'NamespaceTerminating'
  | 'ResourceVersionTooLarge';

/** One error in a request. `field` is a path such as `spec.template.containers[0].image`. */
export interface StatusCause {
  readonly reason: CauseReason;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The resource (`cronjobs`) for failed requests, the kind (`CronJob`) for validation errors. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The `Status` body (meta/v1). Only an expired continue token sets `metadata.continue`. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusErrorOptions {
  readonly details?: StatusDetails | undefined;
  /** A new token that continues an expired list at the latest revision. */
  readonly continueToken?: string;
  readonly cause?: unknown;
}

/** An error that clients may see. Any other thrown value is a bug and answers 500. */
export class StatusError extends Error {
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;

  constructor(reason: StatusReason, message: string, options: StatusErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StatusError';
    this.reason = reason;
    this.details = options.details;
    this.continueToken = options.continueToken;
  }

  get code(): number {
    return CODES[this.reason];
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

export const isStatusError = (error: unknown, reason: StatusReason): error is StatusError =>
  error instanceof StatusError && error.reason === reason;

/** The resource that an error is about, for `details`. */
export interface FailedResource {
  readonly group: string;
  readonly resource: string;
}

const qualified = ({ group, resource }: FailedResource) => (group === '' ? resource : `${resource}.${group}`);
const detailsOf = ({ group, resource }: FailedResource, name: string): StatusDetails => ({ name, ...groupDetail(group), kind: resource });

/** The group for `details`; omitted if empty. */
export const groupDetail = (group: string): Pick<StatusDetails, 'group'> => (group === '' ? {} : { group });

export const notFound = (of: FailedResource, name: string): StatusError =>
  new StatusError('NotFound', `${qualified(of)} "${name}" not found`, { details: detailsOf(of, name) });

export const alreadyExists = (of: FailedResource, name: string): StatusError =>
  new StatusError('AlreadyExists', `${qualified(of)} "${name}" already exists`, { details: detailsOf(of, name) });

/** Also for a name that was given beside a generateName. */
export const noNameGenerated = (of: FailedResource, name: string): StatusError =>
  new StatusError(
    'AlreadyExists',
    `${qualified(of)} "${name}" already exists, the server was not able to generate a unique name for the object`,
    { details: { ...detailsOf(of, name), retryAfterSeconds: 1 } },
  );

/** `why` completes the sentence "Operation cannot be fulfilled on …:". */
export const conflict = (of: FailedResource, name: string, why: string): StatusError =>
  new StatusError('Conflict', `Operation cannot be fulfilled on ${qualified(of)} "${name}": ${why}`, { details: detailsOf(of, name) });

export const objectModified = (of: FailedResource, name: string): StatusError =>
  conflict(of, name, 'the object has been modified; please apply your changes to the latest version and try again');

/** A refusal that is about the object, and not about who asks. */
export const objectForbidden = (of: FailedResource, name: string, why: string, causes?: readonly StatusCause[]): StatusError =>
  new StatusError('Forbidden', `${qualified(of)} ${JSON.stringify(name)} is forbidden: ${why}`, {
    details: { ...detailsOf(of, name), ...(causes === undefined ? {} : { causes }) },
  });

export const badRequest = (message: string, causes?: readonly StatusCause[]): StatusError =>
  new StatusError('BadRequest', message, causes === undefined ? {} : { details: { causes } });

/** The message contains each cause once. `kind` is qualified by its group. An empty name is omitted from details. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly StatusCause[],
): StatusError {
  const subject = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const summary = causes.length === 0 ? '' : `: ${causesText(causes)}`;
  return new StatusError('Invalid', `${subject} "${name}" is invalid${summary}`, {
    details: { ...(name === '' ? {} : { name }), ...groupDetail(kind.group), kind: kind.kind, causes },
  });
}

export const causesText = (causes: readonly StatusCause[]): string =>
  joinUnique(causes.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)));

/** Joins unique messages in one sentence, like Kubernetes. */
export function joinUnique(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? unique.join('') : `[${unique.join(', ')}]`;
}
