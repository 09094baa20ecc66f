/** Something about a certificate, key or bundle that a person must put right: one sentence that names the file and what to do. */
export class CertificateError extends Error {}
