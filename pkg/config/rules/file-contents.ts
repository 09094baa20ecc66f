/** With `--check-files`: the files that a document names exist, and hold what their fields ask for. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigDocument } from '../config-document.ts';
import { signerPairs } from '../controllers/signer-pairs.ts';
import { documentFields } from '../defaults/document-fields.ts';
import { clientConfig } from './files/client-config.ts';
import { fault } from './files/file-fault.ts';
import type { FileCheck, FileFault } from './files/file-fault.ts';
import { certificateBundle, isKeyOf, privateKey, signingCertificate } from './files/pem.ts';
import { podTemplate } from './files/pod-template.ts';
import type { Finding } from './rule.ts';

/** By name of the field. What a cloud's file holds is for the cloud to say: it has to be there. */
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

/** Rejects for a file that cannot be read, with why. Relative paths are left to it. */
export type ReadNamedFile = (path: string) => Promise<string>;

/** Each file is read once, however often it is named. `now`: for certificates that are valid for a time. */
export async function checkFileContents(document: ConfigDocument, readText: ReadNamedFile, now: Date): Promise<Finding[]> {
  const readOnce = cached(readText);
  const findings: Finding[] = [];
  for (const { path, field, value } of documentFields(document)) {
    const check = CHECKS.get(field.name);
    if (check === undefined || field.format !== 'path' || typeof value !== 'string' || value === '') continue;
    const read = await readOnce(value);
    const faults: readonly FileFault[] = 'text' in read ? check(read.text, now) : [fault(`cannot be read: ${read.refusal}`)];
    findings.push(
      ...faults.map(({ severity, message }): Finding => ({ path, severity, reason: 'File', message: `${quotedText(value)} ${message}` })),
    );
  }
  return [...findings, ...(await mismatchedPairs(document, readOnce))];
}

type ReadOnce = (path: string) => Promise<{ readonly text: string } | { readonly refusal: string }>;

async function mismatchedPairs(document: ConfigDocument, readOnce: ReadOnce): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { keyPath, key, cert } of signerPairs(document)) {
    if (key === '' || cert === '') continue;
    const [readKey, readCert] = [await readOnce(key), await readOnce(cert)];
    if (!('text' in readKey) || !('text' in readCert) || isKeyOf(readKey.text, readCert.text) !== false) continue;
    findings.push({ path: keyPath, reason: 'File', message: `${quotedText(key)} holds another key than that of ${quotedText(cert)}` });
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
      (error: unknown) => ({ refusal: error instanceof Error ? error.message : String(error) }),
    );
    files.set(path, read);
    return read;
  };
}
