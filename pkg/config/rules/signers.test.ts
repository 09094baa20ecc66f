import { describe, expect, it } from '@jest/globals';
import { judgedCluster } from '../../../test/support/judged-config.ts';

describe('signers', () => {
  const signing = (text: string) => judgedCluster(`CSRSigningController: {${text}}`);
  const LEGACY = 'CSRSigningController.LegacyUnknownSignerConfiguration';

  it('have both certificate and key, or neither', () => {
    expect(signing('ClusterSigningKeyFile: k')).toEqual([
      'error CSRSigningController.ClusterSigningCertFile: must be set together with CSRSigningController.ClusterSigningKeyFile',
    ]);
    expect(signing('LegacyUnknownSignerConfiguration: {CertFile: c}')).toEqual([
      `error ${LEGACY}.KeyFile: must be set together with ${LEGACY}.CertFile`,
    ]);
    expect(signing('LegacyUnknownSignerConfiguration: {CertFile: c, KeyFile: k}')).toEqual([]);
  });

  it.each([
    'NodeAgentServingSignerConfiguration',
    'NodeAgentClientSignerConfiguration',
    'ClusterAPIServerClientSignerConfiguration',
    'LegacyUnknownSignerConfiguration',
  ])('%s has a certificate for its key', (signer) => {
    const path = `CSRSigningController.${signer}`;
    expect(signing(`${signer}: {KeyFile: k}`)).toEqual([`error ${path}.CertFile: must be set together with ${path}.KeyFile`]);
    expect(signing(`${signer}: {KeyFile: k, CertFile: c}`)).toEqual([]);
  });

  it('must not be combined with one for all', () => {
    expect(
      signing('ClusterSigningCertFile: c, ClusterSigningKeyFile: k, LegacyUnknownSignerConfiguration: {CertFile: c, KeyFile: k}'),
    ).toEqual([`error ${LEGACY}: must not be set together with ClusterSigningCertFile and ClusterSigningKeyFile, which sign for all`]);
  });
});
