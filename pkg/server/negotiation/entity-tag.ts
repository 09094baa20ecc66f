/**
 * Whether a client has what is tagged `tag` (quoted, as it is sent): If-None-Match lists tags, compared weakly, or is
 * `*` (RFC 9110 section 13.1.2). Tags have no comma in them.
 */
export const namesTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined && ifNoneMatch.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag);
