/** The rules of the status, for writes to either path. */
import { checkDnsSubdomain, checkQualifiedName } from '../../../../apimachinery/meta/names.ts';
import { causesOfElements, duplicateValue, invalidValue, NO_CAUSES, required, shownText } from '../../../../apimachinery/status/causes.ts';
import type { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { choiceCauses } from '../../../meta/v1/choice-causes.ts';
import { nameCauses } from '../../../meta/v1/name-causes.ts';
import { checkApiVersion } from './api-version.ts';
import { commonEncodingVersion } from './common-version.ts';
import type { ServerStorageVersion, StorageVersionCondition, StorageVersionStatus } from './types.gen.ts';

export type UncheckedStatus = Unchecked<StorageVersionStatus>;
export type ServerEntry = Unchecked<ServerStorageVersion>;
export type Condition = Unchecked<StorageVersionCondition>;

const CONDITION_STATUSES = ['True', 'False', 'Unknown'];

export function validateStatus(status: UncheckedStatus | undefined, path: FieldPath): readonly StatusCause[] {
  if (status === undefined) return NO_CAUSES;
  const servers = new Set<string>();
  return [
    ...causesOfElements(path.child('storageVersions'), status.storageVersions, (entry, at) => [
      ...repeatedServerCauses(entry, at, servers),
      ...validateServerEntry(entry, at),
    ]),
    ...commonVersionCauses(status, path.child('commonEncodingVersion')),
    ...conditionCauses(status.conditions, path),
  ];
}

/** Adds the server to `servers`. */
function repeatedServerCauses({ apiServerID = '' }: ServerEntry, path: FieldPath, servers: Set<string>): readonly StatusCause[] {
  if (servers.has(apiServerID)) return [duplicateValue(path.child('apiServerID'), apiServerID)];
  servers.add(apiServerID);
  return NO_CAUSES;
}

/** The entry of one server. It must be able to decode its encoding version and its served versions. */
export function validateServerEntry(entry: ServerEntry, path: FieldPath): readonly StatusCause[] {
  const { apiServerID = '', encodingVersion = '', decodableVersions, servedVersions } = entry;
  const decodable = new Set(decodableVersions);
  const decodablePath = path.child('decodableVersions');
  return [
    ...nameCauses(apiServerID, path.child('apiServerID'), checkDnsSubdomain),
    ...versionCauses(encodingVersion, path.child('encodingVersion')),
    ...causesOfElements(decodablePath, decodableVersions, versionCauses),
    ...(decodable.has(encodingVersion)
      ? NO_CAUSES
      : [
          invalidValue(
            decodablePath,
            decodableVersions ?? null,
            `decodableVersions must include encodingVersion ${shownText(encodingVersion)}`,
          ),
        ]),
    ...causesOfElements(path.child('servedVersions'), servedVersions, (version, at) => [
      ...versionCauses(version, at),
      ...(decodable.has(version) ? NO_CAUSES : [invalidValue(at, version, notDecodable(version, decodableVersions))]),
    ]),
  ];
}

const notDecodable = (version: string, decodable: readonly string[] = []): string =>
  `individual served version : ${shownText(version)} must be included in decodableVersions : [${shownText(decodable.join(' '))}]`;

/** All problems of a version are joined into one cause. */
function versionCauses(version: string, path: FieldPath): readonly StatusCause[] {
  const wrong = checkApiVersion(version);
  return wrong.length === 0 ? NO_CAUSES : [invalidValue(path, version, wrong.join(','))];
}

const NO_COMMON_VERSION =
  'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';

function commonVersionCauses({ storageVersions, commonEncodingVersion: given }: UncheckedStatus, path: FieldPath): readonly StatusCause[] {
  const actual = commonEncodingVersion(storageVersions);
  if (actual === given) return NO_CAUSES;
  if (actual === undefined) {
    return [invalidValue(path, given ?? null, NO_COMMON_VERSION)];
  }
  return [invalidValue(path, given ?? null, `the ${given === undefined ? '' : 'actual '}common encoding version is ${actual}`)];
}

/** As in Kubernetes, paths have the index of the condition, but not `conditions`. */
function conditionCauses(conditions: readonly Condition[] | undefined, statusPath: FieldPath): readonly StatusCause[] {
  const types = new Map<string, number>();
  let index = 0;
  return causesOfElements(statusPath, conditions, (condition, path) => {
    const { type = '' } = condition;
    const other = types.get(type);
    types.set(type, index++);
    const repeated = `the type of the condition is not unique, it also appears in conditions[${other ?? 0}]`;
    return [
      ...(other === undefined ? NO_CAUSES : [invalidValue(path.child('type'), type, repeated)]),
      ...validateCondition(condition, path),
    ];
  });
}

/** All rules of a condition except the uniqueness of its type. */
export function validateCondition(
  { type = '', status = '', reason = '', message = '' }: Condition,
  path: FieldPath,
): readonly StatusCause[] {
  return [
    ...nameCauses(type, path.child('type'), checkQualifiedName),
    ...choiceCauses(status, path, 'status', CONDITION_STATUSES),
    ...(reason === '' ? [required(path.child('reason'))] : NO_CAUSES),
    ...(message === '' ? [required(path.child('message'))] : NO_CAUSES),
  ];
}
