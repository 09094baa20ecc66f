/** Conflicts between an apply and the fields of other managers. */
import { compareByBytes } from '../../apimachinery/json/write-json.ts';
import { StatusError, type StatusCause } from '../../apimachinery/status/status-error.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { pathText } from '../fieldpath/path-text.ts';
import type { OwnerInfo } from '../managed-fields/field-owner.ts';

/** The fields of one owner that an apply would change. */
export interface Conflict {
  /** The manager identifier of the owner. */
  readonly identifier: string;
  readonly owner: OwnerInfo;
  /** Not empty. */
  readonly fields: FieldSet;
}

/** 409 with one cause per field and owner. `conflicts` must not be empty. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const perOwner = conflicts
    .toSorted((a, b) => compareByBytes(a.identifier, b.identifier))
    .map(({ owner, fields }) => ({ text: ownerText(owner), paths: [...fields.paths()].map(pathText) }));
  const causes = perOwner.flatMap(({ text, paths }) =>
    paths.map((field): StatusCause => ({ reason: 'FieldManagerConflict', message: `conflict with ${text}`, field })),
  );
  return new StatusError('Conflict', summary(perOwner, causes.length), { details: { causes } });
}

interface OwnerConflicts {
  readonly text: string;
  readonly paths: readonly string[];
}

function summary(perOwner: readonly OwnerConflicts[], count: number): string {
  if (count === 1)
    return `Apply failed with 1 conflict: ${perOwner.map(({ text, paths }) => `conflict with ${text}: ${paths.join('')}`).join('')}`;
  const lines = perOwner.map(({ text, paths }) => [`conflicts with ${text}:`, ...paths.map((path) => `- ${path}`)].join('\n'));
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

/** `"kube-controller-manager" with subresource "status" using batch/v1` */
function ownerText({ manager, operation, apiVersion, subresource }: OwnerInfo): string {
  const path = subresource === '' ? '' : ` with subresource ${quotedText(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return quotedText(manager) + path + version;
}
