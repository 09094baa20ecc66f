/** Media types of all JSON representations. */
export const JSON_TYPES = { contentType: 'application/json', streamType: 'application/json' } as const;

const NEWLINE = Buffer.from('\n');

/** Adds the newline of Kubernetes. */
export const withNewline = (json: Buffer): Buffer => Buffer.concat([json, NEWLINE]);
