/** Certificates and keys for signing: one pair for all signers, or one pair each. */
import type { ConfigDocument } from '../config-document.ts';

const WITHIN = 'CSRSigningController';
const SIGNERS = [
  'NodeAgentServingSignerConfiguration',
  'NodeAgentClientSignerConfiguration',
  'ClusterAPIServerClientSignerConfiguration',
  'LegacyUnknownSignerConfiguration',
] as const;

/** Empty strings mean not set. */
export interface SignerPair {
  /** The object of the signer; undefined if the pair is for all signers. */
  readonly signerPath: string | undefined;
  readonly certPath: string;
  readonly cert: string;
  readonly keyPath: string;
  readonly key: string;
}

/** The pair for all signers first, then one per signer, set or not. Empty for documents without signers. */
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
