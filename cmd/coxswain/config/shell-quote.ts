/** Quotes a word for a POSIX shell if needed. The shell reads back the same text. */
export const quotedForShell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
