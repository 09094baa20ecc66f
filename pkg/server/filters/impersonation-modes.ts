/**
 * Which permissions impersonation needs. One mode that applies is enough. The constrained modes need two: to act as
 * this user (`impersonate:<mode>`), and to do so in this request (`impersonate-on:<mode>:<verb>`). The last mode, which
 * is the oldest, needs only `impersonate`, whatever the request does.
 */
import { domainPrefixedPathCauses } from '../../apimachinery/meta/domain-prefixed-path.ts';
import { checkDnsSubdomain } from '../../apimachinery/meta/names.ts';
import { FieldPath } from '../../apimachinery/status/field-path.ts';
import { ADMIN_GROUP, type UserInfo } from '../../authentication/authenticator.ts';
import { ANONYMOUS_USER, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP } from '../../authentication/groups.ts';
import { parseServiceAccountUser, serviceAccountGroups } from '../../authentication/service-accounts/names.ts';
import type { AccessRequest, Authorizer, ResourceAccess } from '../../authorization/authorizer.ts';
import type { ImpersonationModeName } from './access-meters.ts';
import { forbidden } from './forbidden.ts';
import type { WantedUser } from './impersonation-headers.ts';

export interface ImpersonationModeOptions {
  readonly authorizer: Authorizer;
  /** `authentication.k8s.io`: the group of permissions that are not in the core group. */
  readonly authenticationGroup: string;
  /** The same authorizer for the permissions of a mode, measured. */
  readonly measured: (authorizer: Authorizer, mode: ImpersonationModeName) => Authorizer;
}

export interface ImpersonationMode {
  readonly name: ImpersonationModeName;
  /** Whether the mode is for such users, whatever the permissions are. */
  readonly applies: (wanted: WantedUser, requester: UserInfo) => boolean;
  /** The user that the request continues as. Throws Forbidden for the first permission that is missing. */
  readonly impersonate: (wanted: WantedUser, request: AccessRequest) => Promise<UserInfo>;
}

/** The more constrained ones first. */
export const createImpersonationModes = (options: ImpersonationModeOptions): readonly ImpersonationMode[] => [
  {
    name: 'associated-node',
    applies: (wanted, requester) => isNodeAlone(wanted) && nodeOf(wanted) === associatedNode(requester),
    impersonate: constrained(options, 'associated-node', '*'),
  },
  { name: 'arbitrary-node', applies: isNodeAlone, impersonate: constrained(options, 'arbitrary-node') },
  {
    name: 'serviceaccount',
    applies: (wanted) => isNameAlone(wanted) && parseServiceAccountUser(wanted.name) !== undefined,
    impersonate: constrained(options, 'serviceaccount'),
  },
  {
    name: 'user-info',
    applies: (wanted) => nodeOf(wanted) === undefined && parseServiceAccountUser(wanted.name) === undefined,
    impersonate: constrained(options, 'user-info'),
  },
  { name: 'legacy', applies: () => true, impersonate: unconstrained(options) },
];

/** `node`: the name of the permission for nodes, if it is not that of the wanted node. */
function constrained(given: ImpersonationModeOptions, mode: ImpersonationModeName, node?: string): ImpersonationMode['impersonate'] {
  const options = measuredOptions(given, mode);
  return async (wanted, request) => {
    await assertAllowed(options, { ...request, verb: `impersonate-on:${mode}:${request.verb}` });
    return actAs(wanted, { ...options, requester: request.user, verb: `impersonate:${mode}`, isConstrained: true, node });
  };
}

function unconstrained(given: ImpersonationModeOptions): ImpersonationMode['impersonate'] {
  const options = measuredOptions(given, 'legacy');
  return (wanted, { user }) => actAs(wanted, { ...options, requester: user, verb: 'impersonate', isConstrained: false });
}

const measuredOptions = (options: ImpersonationModeOptions, mode: ImpersonationModeName): ImpersonationModeOptions => ({
  ...options,
  authorizer: options.measured(options.authorizer, mode),
});

interface PermissionCheck extends ImpersonationModeOptions {
  readonly requester: UserInfo;
  readonly verb: string;
  readonly isConstrained: boolean;
  readonly node?: string | undefined;
}

async function actAs(wanted: WantedUser, check: PermissionCheck): Promise<UserInfo> {
  await assertAllowed(check, nameAccess(wanted, check));
  if (wanted.uid !== '') await assertAllowed(check, authenticationAccess(check, 'uids', wanted.uid));
  await assertGroups(wanted.groups, check);
  await assertExtra(wanted.extra, check);
  return toUser(wanted, check);
}

const access = ({ requester, verb }: PermissionCheck, group: string, resource: string, name: string): ResourceAccess => ({
  isResource: true,
  user: requester,
  verb,
  group,
  version: 'v1',
  resource,
  subresource: '',
  namespace: '',
  name,
});

const authenticationAccess = (check: PermissionCheck, resource: string, name: string): ResourceAccess =>
  access(check, check.authenticationGroup, resource, name);

/** Users and groups. */
const subjectAccess = (check: PermissionCheck, resource: string, name: string): ResourceAccess =>
  access(check, check.isConstrained ? check.authenticationGroup : '', resource, name);

function nameAccess(wanted: WantedUser, check: PermissionCheck): ResourceAccess {
  const account = parseServiceAccountUser(wanted.name);
  if (account !== undefined) return { ...subjectAccess(check, 'serviceaccounts', account.name), namespace: account.namespace };
  const node = check.isConstrained ? nodeOf(wanted) : undefined;
  return node === undefined ? subjectAccess(check, 'users', wanted.name) : subjectAccess(check, 'nodes', check.node ?? node);
}

/** As in Kubernetes, from this number on the constrained modes first ask for permission for all names. */
const MANY = 4;

async function assertGroups(groups: readonly string[], check: PermissionCheck): Promise<void> {
  const of = (name: string) => subjectAccess(check, 'groups', name);
  if (check.isConstrained) {
    if (groups.includes('')) throw forbidden(of(''), 'impersonating the empty string group is not allowed');
    if (groups.includes(ADMIN_GROUP)) throw forbidden(of(ADMIN_GROUP), `impersonating the ${ADMIN_GROUP} group is not allowed`);
    if (groups.length >= MANY && (await isAllowed(check, of('*')))) return;
  }
  for (const group of groups) await assertAllowed(check, of(group));
}

async function assertExtra(extra: WantedUser['extra'], check: PermissionCheck): Promise<void> {
  const of = (key: string, value: string) => ({ ...authenticationAccess(check, 'userextras', value), subresource: key });
  const values = [...extra].flatMap(([key, each]) => each.map((value) => ({ key, value })));
  if (check.isConstrained) {
    const [problem] = [...extra].flatMap(([key, each]) => extraProblem(key, each) ?? []);
    if (problem !== undefined) throw forbidden(of('', ''), problem);
    if (values.length >= MANY && (await isAllowed(check, of('*', '*')))) return;
  }
  for (const { key, value } of values) await assertAllowed(check, of(key, value));
}

function extraProblem(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  const [cause] = domainPrefixedPathCauses(key, FieldPath.of('extra').child('key'));
  if (cause !== undefined) return `impersonating an invalid key in extra is not allowed: ${cause.field ?? ''}: ${cause.message}`;
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${JSON.stringify(key)}`;
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : undefined;
}

function toUser(wanted: WantedUser, { isConstrained }: PermissionCheck): UserInfo {
  const { name, uid, extra } = wanted;
  const groups = groupsOf(wanted, isConstrained);
  const added = name === ANONYMOUS_USER ? UNAUTHENTICATED_GROUP : AUTHENTICATED_GROUP;
  const isMarked = groups.includes(UNAUTHENTICATED_GROUP) || groups.includes(added);
  return {
    name,
    ...(uid === '' ? {} : { uid }),
    groups: isMarked ? groups : [...groups, added],
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

function groupsOf(wanted: WantedUser, isConstrained: boolean): readonly string[] {
  if (wanted.groups.length > 0) return wanted.groups;
  const account = parseServiceAccountUser(wanted.name);
  if (account !== undefined) return serviceAccountGroups(account.namespace);
  return isConstrained && nodeOf(wanted) !== undefined ? [NODES_GROUP] : [];
}

const NODE_PREFIX = 'system:node:';
const NODES_GROUP = 'system:nodes';
const NODE_NAME_KEY = 'authentication.kubernetes.io/node-name';

function nodeOf({ name }: Pick<WantedUser, 'name'>): string | undefined {
  if (!name.startsWith(NODE_PREFIX)) return undefined;
  const node = name.slice(NODE_PREFIX.length);
  return checkDnsSubdomain(node).length === 0 ? node : undefined;
}

/** The node that a ServiceAccount's token is bound to. */
function associatedNode({ name, extra = {} }: UserInfo): string | undefined {
  const names = extra[NODE_NAME_KEY] ?? [];
  return parseServiceAccountUser(name) !== undefined && names.length === 1 ? names[0] : undefined;
}

const isNameAlone = ({ uid, groups, extra }: WantedUser) => uid === '' && groups.length === 0 && extra.size === 0;
const isNodeAlone = (wanted: WantedUser) => isNameAlone(wanted) && nodeOf(wanted) !== undefined;

const isAllowed = async ({ authorizer }: ImpersonationModeOptions, request: AccessRequest): Promise<boolean> =>
  (await authorizer.authorize(request)).decision === 'allow';

async function assertAllowed({ authorizer }: ImpersonationModeOptions, request: AccessRequest): Promise<void> {
  const { decision, reason, error } = await authorizer.authorize(request);
  if (decision === 'allow') return;
  throw forbidden(request, error === undefined || reason === undefined ? (error ?? reason) : `${error}: ${reason}`);
}
