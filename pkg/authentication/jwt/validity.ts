/** The time in which a JWT is valid. As in Kubernetes, clocks may differ by a minute. */
const LEEWAY_MS = 60_000;

/** In seconds, as the claims of the same names. */
export interface Validity {
  readonly exp?: number | undefined;
  readonly nbf?: number | undefined;
  readonly iat?: number | undefined;
}

/** Why a token is not valid now; undefined if it is. */
export function validityProblem(
  { exp, nbf, iat }: Validity,
  nowMs: number,
): 'expired' | 'not valid yet' | 'issued in the future' | undefined {
  if (nbf !== undefined && nowMs + LEEWAY_MS < nbf * 1000) return 'not valid yet';
  if (exp !== undefined && nowMs - LEEWAY_MS > exp * 1000) return 'expired';
  if (iat !== undefined && nowMs + LEEWAY_MS < iat * 1000) return 'issued in the future';
  return undefined;
}
