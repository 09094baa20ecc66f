/** The administrator that the bench is, where it shows a bearer token. */
export const TOKEN = 'a-token-of-the-bench';
/** A line of `--token-auth-file`. */
export const TOKEN_FILE_LINE = `${TOKEN},bench,bench-uid,"system:masters"\n`;
