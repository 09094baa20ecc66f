/** One word for a POSIX shell, quoted only where it is needed. Reads back as the same text, whatever that is. */
export const quotedForShell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
