/** Rules for signing certificates and keys: both or neither, and for all signers or for each. */
import { signerPairs } from '../controllers/signer-pairs.ts';
import type { ConfigRule } from './rule.ts';

const bothOrNeither: ConfigRule = (document, report) => {
  for (const { certPath, cert, keyPath, key } of signerPairs(document)) {
    if ((cert === '') === (key === '')) continue;
    const [missing, given] = cert === '' ? [certPath, keyPath] : [keyPath, certPath];
    report({ path: missing, relatedPaths: [given], reason: 'Missing', message: `must be set together with ${given}` });
  }
};

const oneForAllOrOneEach: ConfigRule = (document, report) => {
  const set = signerPairs(document).filter(({ cert, key }) => cert !== '' || key !== '');
  if (set.every(({ signerPath }) => signerPath !== undefined)) return;
  for (const { signerPath } of set) {
    if (signerPath === undefined) continue;
    report({
      path: signerPath,
      reason: 'Conflict',
      message: 'must not be set together with ClusterSigningCertFile and ClusterSigningKeyFile, which sign for all',
    });
  }
};

export const SIGNING: readonly ConfigRule[] = [bothOrNeither, oneForAllOrOneEach];
