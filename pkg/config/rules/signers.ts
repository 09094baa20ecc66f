/** Certificates and keys that sign: both or neither, for all signers or for each. Whether the files exist is for `--check-files`. */
import type { ConfigDocument } from '../config-document.ts';
import type { Rule } from './rule.ts';

const WITHIN = 'CSRSigningController';
const SIGNERS = [
  'NodeAgentServingSignerConfiguration',
  'NodeAgentClientSignerConfiguration',
  'ClusterAPIServerClientSignerConfiguration',
  'LegacyUnknownSignerConfiguration',
] as const;

export interface SignerPair {
  readonly certPath: string;
  readonly cert: string;
  readonly keyPath: string;
  readonly key: string;
}

/** Of all signers, set or not; none in documents that sign nothing. */
export function signerPairs(document: ConfigDocument): readonly SignerPair[] {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return [];
  const signing = document.config.CSRSigningController;
  return [
    {
      certPath: `${WITHIN}.ClusterSigningCertFile`,
      cert: signing.ClusterSigningCertFile,
      keyPath: `${WITHIN}.ClusterSigningKeyFile`,
      key: signing.ClusterSigningKeyFile,
    },
    ...SIGNERS.map((signer) => ({
      certPath: `${WITHIN}.${signer}.CertFile`,
      cert: signing[signer].CertFile,
      keyPath: `${WITHIN}.${signer}.KeyFile`,
      key: signing[signer].KeyFile,
    })),
  ];
}

const bothOrNeither: Rule = (document, report) => {
  for (const { certPath, cert, keyPath, key } of signerPairs(document)) {
    if ((cert === '') === (key === '')) continue;
    const [missing, given] = cert === '' ? [certPath, keyPath] : [keyPath, certPath];
    report({ path: missing, about: [given], reason: 'Missing', message: `must be set together with ${given}` });
  }
};

const oneForAllOrOneEach: Rule = (document, report) => {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return;
  const signing = document.config.CSRSigningController;
  if (signing.ClusterSigningCertFile === '' && signing.ClusterSigningKeyFile === '') return;
  for (const signer of SIGNERS) {
    const { CertFile, KeyFile } = signing[signer];
    if (CertFile === '' && KeyFile === '') continue;
    report({
      path: `${WITHIN}.${signer}`,
      reason: 'Conflict',
      message: 'must not be set together with ClusterSigningCertFile and ClusterSigningKeyFile, which sign for all',
    });
  }
};

export const SIGNING: readonly Rule[] = [bothOrNeither, oneForAllOrOneEach];
