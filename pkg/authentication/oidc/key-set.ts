/**
 * The keys of an OIDC issuer. They are fetched on first use, and again when a token names a key that is not among them.
 * While the issuer is down, the keys that are known stay in use.
 */
import {
  type CompactJWSHeaderParameters,
  type CompactVerifyGetKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
} from 'jose';
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';

export interface IssuerKeySetOptions {
  readonly issuer: string;
  /** Of the discovery document. Default: below the issuer. */
  readonly discoveryUrl?: string | undefined;
  /** Throws an Error for the log. */
  readonly fetchJson: (url: string) => Promise<unknown>;
  readonly clock: Pick<Clock, 'now'>;
  /** After each fetch; `problem`: why it failed. */
  readonly onFetch: (problem: string | undefined) => void;
}

/** Throws KeysUnavailable while no keys are known, and an error of `jose` if a key is not among them. */
export type IssuerKeySet = CompactVerifyGetKey;

export class KeysUnavailable extends Error {}

/** Between two fetches, so that tokens with made-up keys do not make the server flood the issuer. */
const FETCH_AGAIN_MS = 10_000;

export function createIssuerKeySet(options: IssuerKeySetOptions): IssuerKeySet {
  const { clock, onFetch } = options;
  let keys: CompactVerifyGetKey | undefined;
  let fetchedAt = -Infinity;
  let fetching: Promise<void> | undefined;
  let problem = 'no keys yet';

  const fetchKeys = async () => {
    fetchedAt = clock.now();
    try {
      keys = createLocalJWKSet(await fetchKeySet(options));
      onFetch(undefined);
    } catch (error) {
      problem = errorMessage(error);
      onFetch(problem);
    }
  };
  /** One at a time; returns whether there may be other keys now. */
  const refresh = async (): Promise<boolean> => {
    if (fetching === undefined && clock.now() - fetchedAt < FETCH_AGAIN_MS) return false;
    fetching ??= fetchKeys().finally(() => (fetching = undefined));
    await fetching;
    return true;
  };

  return async (header: CompactJWSHeaderParameters, input: FlattenedJWSInput) => {
    if (keys === undefined) await refresh();
    if (keys === undefined) throw new KeysUnavailable(`the keys of the issuer are not available: ${problem}`);
    try {
      return await keys(header, input);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await refresh())) throw error;
      return keys(header, input);
    }
  };
}

async function fetchKeySet({ issuer, discoveryUrl, fetchJson }: IssuerKeySetOptions): Promise<JSONWebKeySet> {
  const url = discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const configuration = membersOf(await fetchJson(url));
  if (configuration['issuer'] !== issuer) throw new Error(`${url}: it is about another issuer than ${issuer}`);
  const { jwks_uri: jwksUri } = configuration;
  if (typeof jwksUri !== 'string' || !jwksUri.startsWith('https:')) throw new Error(`${url}: jwks_uri is no https URL`);
  const keySet = membersOf(await fetchJson(jwksUri));
  if (!Array.isArray(keySet['keys'])) throw new Error(`${jwksUri}: it has no keys`);
  return keySet as unknown as JSONWebKeySet;
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
