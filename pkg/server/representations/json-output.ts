/** What all representations in JSON have in common. */
export const JSON_TYPES = { contentType: 'application/json', streamType: 'application/json' } as const;

const NEWLINE = Buffer.from('\n');

/** With the newline at the end that is Kubernetes' own. */
export const withNewline = (json: Buffer): Buffer => Buffer.concat([json, NEWLINE]);
