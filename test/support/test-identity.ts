/** A certificate of a server on this machine, for tests that others connect to. */
import { createAuthority, issueCertificate } from '../../pkg/certificates/issue.ts';

export interface TestIdentity {
  /** PEM, as all of them. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** By an authority of its own, for `localhost` and 127.0.0.1. */
export async function createTestIdentity(): Promise<TestIdentity> {
  const now = Date.now();
  const authority = await createAuthority({ commonName: 'test authority', now });
  const identity = await issueCertificate(authority, { commonName: 'localhost', usage: 'server', now, names: ['localhost', '127.0.0.1'] });
  return { ca: authority.cert, ...identity };
}
