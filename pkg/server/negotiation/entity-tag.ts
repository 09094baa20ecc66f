/** Whether If-None-Match contains the quoted `tag`, by weak comparison, or `*` (RFC 9110 section 13.1.2). */
export const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined && ifNoneMatch.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag);
