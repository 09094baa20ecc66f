/** The SubjectAccessReview that a webhook is sent, and what it answers. */
import type { AccessRequest, ResourceAccess } from '../authorizer.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

export interface ReviewType {
  /** `authorization.k8s.io` */
  readonly group: string;
  readonly version: ReviewVersion;
}

const KIND = 'SubjectAccessReview';

export interface ReviewVerdict {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string | undefined;
}

/** Equal questions have equal texts. */
export function writeReview(request: AccessRequest, { group, version }: ReviewType): string {
  const { name, uid, groups, extra } = request.user;
  const spec = {
    ...(request.isResource
      ? { resourceAttributes: toResourceAttributes(request) }
      : { nonResourceAttributes: { ...nonEmpty('path', request.path), ...nonEmpty('verb', request.verb) } }),
    ...nonEmpty('user', name),
    // The older version has the plural as a singular.
    ...(groups.length === 0 ? {} : { [version === 'v1' ? 'groups' : 'group']: groups }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
    ...nonEmpty('uid', uid ?? ''),
  };
  return JSON.stringify({ kind: KIND, apiVersion: `${group}/${version}`, metadata: {}, spec, status: { allowed: false } });
}

function toResourceAttributes(access: ResourceAccess) {
  const { fields = [], labels = [] } = access.selectors?.() ?? {};
  return {
    ...nonEmpty('namespace', access.namespace),
    ...nonEmpty('verb', access.verb),
    ...nonEmpty('group', access.group),
    ...nonEmpty('version', access.version),
    ...nonEmpty('resource', access.resource),
    ...nonEmpty('subresource', access.subresource),
    ...nonEmpty('name', access.name),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}

const nonEmpty = (key: string, value: string) => (value === '' ? {} : { [key]: value });

/** Throws an Error if the text is no answer to such a review. */
export function readVerdict(text: string, { group, version }: ReviewType): ReviewVerdict {
  const answer = asObject(parseJson(text), 'the answer');
  const { kind = KIND, apiVersion = `${group}/${version}` } = answer;
  if (kind !== KIND || apiVersion !== `${group}/${version}`) {
    throw new Error(`the answer is ${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)}, not ${KIND} of ${group}/${version}`);
  }
  const status = asObject(answer['status'] ?? {}, 'status');
  const { allowed, denied, reason } = status;
  if (![allowed, denied].every((flag) => ['undefined', 'boolean'].includes(typeof flag))) {
    throw new Error('status.allowed and status.denied must be true or false');
  }
  if (reason !== undefined && typeof reason !== 'string') throw new Error('status.reason must be a string');
  return { allowed: allowed === true, denied: denied === true, reason: reason === '' ? undefined : reason };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the answer is no JSON');
  }
}

function asObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is no object`);
  return value as Readonly<Record<string, unknown>>;
}
