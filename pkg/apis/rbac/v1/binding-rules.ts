/** Defaults and rules that RoleBindings and ClusterRoleBindings share. */
import { checkDnsSubdomain, checkPathSegment } from '../../../apimachinery/meta/names.ts';
import { causesOfElements, invalidValue, invalidStruct, notSupportedText, required } from '../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../apimachinery/status/status-error.ts';
import { defineStrategy, type Unchecked } from '../../define-strategy.ts';
import type { Strategy } from '../../kind.ts';
import type { ClusterRoleBinding } from './clusterrolebindings/types.gen.ts';
import type { RoleRef, Subject } from './types.gen.ts';

type Binding = Unchecked<ClusterRoleBinding>;

export interface BindingOptions {
  readonly groupSuffix: string;
  /** Kinds of roles that may be granted. */
  readonly roleKinds: readonly string[];
  /** Whether a service account may leave its namespace out. */
  readonly isNamespaced: boolean;
}

const ROLE_REF = FieldPath.of('roleRef');
const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'];

export function createBindingStrategy({ groupSuffix, roleKinds, isNamespaced }: BindingOptions): Strategy {
  const group = `rbac.authorization.${groupSuffix}`;
  const causesOf = ({ roleRef, subjects }: Binding) => [
    ...roleRefCauses(roleRef ?? {}, group, roleKinds),
    ...causesOfElements(FieldPath.of('subjects'), subjects, (subject, path) => subjectCauses(subject, path, group, isNamespaced)),
  ];
  return defineStrategy<ClusterRoleBinding>({
    checkName: checkPathSegment,
    updateCreates: true,
    unconditionalUpdate: true,
    applyDefaults: (object) => withDefaultGroups(object, group),
    validateCreate: causesOf,
    validateUpdate: (object, stored) => [
      ...causesOf(object),
      ...(sameRole(object.roleRef ?? {}, stored.roleRef ?? {}) ? [] : [cannotChange(object.roleRef ?? {})]),
    ],
  });
}

function withDefaultGroups(object: Binding, group: string): Binding {
  const { roleRef, subjects } = object;
  return {
    ...object,
    roleRef: { ...roleRef, apiGroup: orDefault(roleRef?.apiGroup, group) },
    ...(subjects === undefined ? {} : { subjects: subjects.map((subject) => withDefaultGroup(subject, group)) }),
  };
}

const withDefaultGroup = (subject: Unchecked<Subject>, group: string): Unchecked<Subject> =>
  subject.kind === 'User' || subject.kind === 'Group' ? { ...subject, apiGroup: orDefault(subject.apiGroup, group) } : subject;

const orDefault = (text: string | undefined, instead: string): string => (text === undefined || text === '' ? instead : text);

function roleRefCauses({ apiGroup = '', kind = '', name = '' }: Unchecked<RoleRef>, group: string, kinds: readonly string[]) {
  const namePath = ROLE_REF.child('name');
  return [
    ...(apiGroup === group ? [] : [notSupportedText(ROLE_REF.child('apiGroup'), apiGroup, [group])]),
    ...(kinds.includes(kind) ? [] : [notSupportedText(ROLE_REF.child('kind'), kind, kinds)]),
    ...(name === '' ? [required(namePath)] : checkPathSegment(name).map((message) => invalidValue(namePath, name, message))),
  ];
}

function subjectCauses(subject: Unchecked<Subject>, path: FieldPath, group: string, isNamespaced: boolean): readonly StatusCause[] {
  const { kind = '', apiGroup = '', name = '', namespace = '' } = subject;
  const namePath = path.child('name');
  const noName = name === '' ? [required(namePath)] : [];
  const groupCauses = (expected: string) => (apiGroup === expected ? [] : [notSupportedText(path.child('apiGroup'), apiGroup, [expected])]);
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...noName,
        ...(name === '' ? [] : checkDnsSubdomain(name).map((message) => invalidValue(namePath, name, message))),
        ...groupCauses(''),
        ...(!isNamespaced && namespace === '' ? [required(path.child('namespace'))] : []),
      ];
    case 'User':
    case 'Group':
      return [...noName, ...groupCauses(group)];
    default:
      return [...noName, notSupportedText(path.child('kind'), kind, SUBJECT_KINDS)];
  }
}

/** The names of the fields are those of Kubernetes' internal type. */
const cannotChange = ({ apiGroup = '', kind = '', name = '' }: Unchecked<RoleRef>): StatusCause =>
  invalidStruct(ROLE_REF, { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef');

const sameRole = (a: Unchecked<RoleRef>, b: Unchecked<RoleRef>): boolean =>
  (a.apiGroup ?? '') === (b.apiGroup ?? '') && (a.kind ?? '') === (b.kind ?? '') && (a.name ?? '') === (b.name ?? '');
