/** The certificates and keys that sign: one pair for all signers, or one for each. */
import type { ConfigDocument } from '../config-document.ts';

const WITHIN = 'CSRSigningController';
const SIGNERS = [
  'NodeAgentServingSignerConfiguration',
  'NodeAgentClientSignerConfiguration',
  'ClusterAPIServerClientSignerConfiguration',
  'LegacyUnknownSignerConfiguration',
] as const;

/** Empty: not set. */
export interface SignerPair {
  /** The object of the one signer that it is for; undefined: all. */
  readonly signerPath: string | undefined;
  readonly certPath: string;
  readonly cert: string;
  readonly keyPath: string;
  readonly key: string;
}

/** That for all, then each signer's, set or not; none in documents that sign nothing. */
export function signerPairs(document: ConfigDocument): readonly SignerPair[] {
  if (document.kind !== 'ClusterControllerManagerConfiguration') return [];
  const signing = document.config.CSRSigningController;
  return [
    {
      signerPath: undefined,
      certPath: `${WITHIN}.ClusterSigningCertFile`,
      cert: signing.ClusterSigningCertFile,
      keyPath: `${WITHIN}.ClusterSigningKeyFile`,
      key: signing.ClusterSigningKeyFile,
    },
    ...SIGNERS.map((signer) => ({
      signerPath: `${WITHIN}.${signer}`,
      certPath: `${WITHIN}.${signer}.CertFile`,
      cert: signing[signer].CertFile,
      keyPath: `${WITHIN}.${signer}.KeyFile`,
      key: signing[signer].KeyFile,
    })),
  ];
}
