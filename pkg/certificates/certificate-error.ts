/** A problem that the operator must fix. The message is one sentence that contains the file and the remedy. */
export class CertificateError extends Error {}
