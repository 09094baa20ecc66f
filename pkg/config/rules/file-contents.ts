/** With `--check-files`: the certificates and keys that a document names exist, and hold what their field asks for. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigDocument } from '../config-document.ts';
import { documentFields } from './document-fields.ts';
import type { Finding } from './rule.ts';

type Check = (pem: string) => string | undefined;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Half a sentence on what is wrong. */
const certificates: Check = (pem) => {
  const blocks = pem.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) return 'holds no PEM certificate';
  const broken = blocks.findIndex((block) => !parses(() => new X509Certificate(block)));
  return broken < 0 ? undefined : `holds a certificate that cannot be read, number ${broken + 1}`;
};

const privateKey: Check = (pem) => {
  let type: string | undefined;
  if (!parses(() => (type = createPrivateKey(pem).asymmetricKeyType))) return 'holds no PEM private key without a password';
  return type === 'rsa' || type === 'ec' ? undefined : `holds a key of type ${type ?? 'unknown'}, not RSA or ECDSA`;
};

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['CertFile', certificates],
  ['ClusterSigningCertFile', certificates],
  ['RootCAFile', certificates],
  ['KeyFile', privateKey],
  ['ClusterSigningKeyFile', privateKey],
  ['ServiceAccountKeyFile', privateKey],
]);

/** `readText` rejects for a file that cannot be read, with why. Relative paths are left to it. */
export async function checkFileContents(document: ConfigDocument, readText: (path: string) => Promise<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path, field, value } of documentFields(document)) {
    const check = CHECKS.get(field.name);
    if (check === undefined || field.format !== 'path' || typeof value !== 'string' || value === '') continue;
    const wrong = await readText(value).then(
      check,
      (error: unknown) => `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    if (wrong !== undefined) findings.push({ path, reason: 'File', message: `${quotedText(value)} ${wrong}` });
  }
  return findings;
}

function parses(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
