import { invalidValue } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import { badRequest, conflict, invalid } from '../../../../apimachinery/status/status-error.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import { toRfc3339Seconds } from '../../../../apimachinery/time/rfc3339.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import { defineReview, type Requester, type Review, type TokenClaims } from '../../../review.ts';
import { createDefinition } from './definition.gen.ts';
import { TokenRequestShape } from './shapes.gen.ts';
import type { BoundObjectReference, TokenRequest } from './types.gen.ts';

const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const EXPIRATION = FieldPath.of('spec').child('expirationSeconds');

/** `kubectl create token`: posted to a ServiceAccount. */
export const createReview = (groupSuffix: string): Review => {
  const definition = createDefinition(groupSuffix);
  const { group, kind } = definition;
  const invalidRequest = (name: string, cause: StatusCause) => invalid({ group, kind }, name, [cause]);

  const assertTarget = ({ metadata = {} }: Unchecked<TokenRequest>, { target }: Requester) => {
    const { name = '', namespace = '' } = metadata;
    if (namespace !== '' && namespace !== target.namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
    if (name !== '' && name !== target.name) {
      throw invalidRequest(target.name, invalidValue('metadata.name', name, 'must match the service account name if specified'));
    }
  };

  const assertExpiration = (seconds: number | bigint) => {
    const refuse = (why: string) => invalidRequest('', invalidValue(EXPIRATION, seconds, `may not specify a duration ${why}`));
    if (seconds < MIN_SECONDS) throw refuse('less than 10 minutes');
    if (seconds > MAX_SECONDS) throw refuse('larger than 2^32 seconds');
  };

  return defineReview<TokenRequest>({
    definition,
    shape: TokenRequestShape,
    applyDefaults: (request) => ({
      ...request,
      spec: { ...request.spec, expirationSeconds: request.spec?.expirationSeconds ?? DEFAULT_SECONDS },
    }),
    answer: async (request, requester) => {
      const { target, tokens, signal, nowMs } = requester;
      const { metadata = {}, spec = {} } = request;
      assertTarget(request, requester);
      const uid = await tokens.uidOf('serviceaccounts', target, signal);
      if (metadata.uid !== undefined && metadata.uid !== '' && metadata.uid !== uid) {
        const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
        throw conflict({ group, resource: kind }, target.name, why);
      }
      const { expirationSeconds: requested = DEFAULT_SECONDS, boundObjectRef, audiences: wanted = [] } = spec;
      assertExpiration(requested);
      const boundTo = boundObjectRef === undefined ? undefined : await bind(boundObjectRef, requester);
      const expirationSeconds = shortened(Number(requested), requester);
      const audiences = wanted.length === 0 ? tokens.audiences : wanted;
      const serviceAccount = { name: target.name, uid };
      const token = await tokens.issue({ namespace: target.namespace, serviceAccount, boundTo, audiences, nowMs, expirationSeconds });
      return {
        metadata: { ...metadata, ...target, uid, creationTimestamp: toRfc3339Seconds(nowMs) },
        spec: { audiences, expirationSeconds, ...(boundObjectRef === undefined ? {} : { boundObjectRef }) },
        status: { token, expirationTimestamp: toRfc3339Seconds(nowMs + expirationSeconds * 1000) },
      };
    },
  });
};

const BOUND = { Secret: 'secret', Pod: 'pod', Node: 'node' } as const;
const isBoundKind = (kind: string): kind is keyof typeof BOUND => Object.hasOwn(BOUND, kind);

/** Throws NotFound, and Conflict if the object is not the one that is meant. */
async function bind(ref: Unchecked<BoundObjectReference>, { target, tokens, signal }: Requester): Promise<TokenClaims['boundTo']> {
  const { kind = '', apiVersion = '', name = '', uid: meant = '' } = ref;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  if (group !== '' || !isBoundKind(kind)) throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  const as = BOUND[kind];
  const uid = await tokens.uidOf(`${as}s`, { namespace: as === 'node' ? '' : target.namespace, name }, signal);
  if (meant === '' || meant === uid) return { as, name, uid };
  const why = `the UID in the bound object reference (${meant}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group, resource: kind }, name, why);
}

function shortened(seconds: number, { tokens: { maxExpirationSeconds: max }, warn }: Requester): number {
  if (max === undefined || seconds <= max) return seconds;
  warn(`requested expiration of ${seconds} seconds shortened to ${max} seconds`);
  return max;
}
