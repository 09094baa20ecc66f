/** Checks of `--check-files`: the files of a document exist and have valid contents. */
import { errorMessage } from '../../apimachinery/status/error-message.ts';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigDocument } from '../config-document.ts';
import { signerPairs } from '../controllers/signer-pairs.ts';
import { documentFields } from '../defaults/document-fields.ts';
import { clientConfig } from './files/client-config.ts';
import { fileError } from './files/file-problem.ts';
import type { FileCheck, FileProblem } from './files/file-problem.ts';
import { certificateBundle, isKeyOf, privateKey, signingCertificate } from './files/pem.ts';
import { podTemplate } from './files/pod-template.ts';
import type { Finding } from './rule.ts';

/** By field name. The contents of a cloud's file are provider-specific, so it only has to exist. */
const CHECKS: ReadonlyMap<string, FileCheck> = new Map([
  ['CertFile', signingCertificate],
  ['ClusterSigningCertFile', signingCertificate],
  ['RootCAFile', certificateBundle],
  ['KeyFile', privateKey],
  ['ClusterSigningKeyFile', privateKey],
  ['ServiceAccountKeyFile', privateKey],
  ['clusterconfig', clientConfig],
  ['PodTemplateFilePathNFS', podTemplate],
  ['PodTemplateFilePathHostPath', podTemplate],
  ['CloudConfigFile', () => []],
]);

/** Rejects with the reason if the file cannot be read. Resolves relative paths. */
export type ReadNamedFile = (path: string) => Promise<string>;

/** Reads each file once. `now` is used to check certificates. */
export async function checkFileContents(document: ConfigDocument, readText: ReadNamedFile, now: Date): Promise<Finding[]> {
  const readOnce = cached(readText);
  const findings: Finding[] = [];
  for (const { path, field, value } of documentFields(document)) {
    const check = CHECKS.get(field.name);
    if (check === undefined || field.format !== 'path' || typeof value !== 'string' || value === '') continue;
    const read = await readOnce(value);
    const problems: readonly FileProblem[] = 'text' in read ? check(read.text, now) : [fileError(`cannot be read: ${read.failure}`)];
    findings.push(
      ...problems.map(({ severity, message }): Finding => ({ path, severity, reason: 'File', message: `${quotedText(value)} ${message}` })),
    );
  }
  return [...findings, ...(await mismatchedPairs(document, readOnce))];
}

type ReadOnce = (path: string) => Promise<{ readonly text: string } | { readonly failure: string }>;

async function mismatchedPairs(document: ConfigDocument, readOnce: ReadOnce): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { keyPath, key, cert } of signerPairs(document)) {
    if (key === '' || cert === '') continue;
    const [readKey, readCert] = [await readOnce(key), await readOnce(cert)];
    if (!('text' in readKey) || !('text' in readCert) || isKeyOf(readKey.text, readCert.text) !== false) continue;
    findings.push({ path: keyPath, reason: 'File', message: `${quotedText(key)} does not match the certificate ${quotedText(cert)}` });
  }
  return findings;
}

function cached(readText: ReadNamedFile): ReadOnce {
  const files = new Map<string, ReturnType<ReadOnce>>();
  return (path) => {
    const known = files.get(path);
    if (known !== undefined) return known;
    const read = readText(path).then(
      (text) => ({ text }),
      (error: unknown) => ({ failure: errorMessage(error) }),
    );
    files.set(path, read);
    return read;
  };
}
