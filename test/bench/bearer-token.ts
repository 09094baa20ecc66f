/** The administrator that the bench is, where it shows a bearer token. */
export const TOKEN = 'a-token-of-the-bench';
/** Two users without privileges. */
export const VICTIM_TOKEN = 'a-token-of-a-quiet-user';
export const ATTACKER_TOKEN = 'a-token-of-a-busy-user';
/** For `--token-auth-file`. */
export const TOKEN_FILE = `${TOKEN},bench,bench-uid,"system:masters"
${VICTIM_TOKEN},quiet,quiet-uid
${ATTACKER_TOKEN},busy,busy-uid
`;
