/**
 * A problem with a certificate, key or bundle that the operator must fix. The message is one sentence that names the
 * file and the remedy.
 */
export class CertificateError extends Error {}
