/** What differs on purpose, by its cause; docs/compatibility.md says why. */
import type { AccessAnswer, SentAccess } from './send.ts';

type Difference = (asked: SentAccess, theirs: AccessAnswer, ours: AccessAnswer) => boolean;

const KNOWN: readonly Difference[] = [
  // Everyone may read single checks, too.
  ({ path }, theirs, ours) => path.startsWith('/livez/') && theirs.code === 403 && ours.code === 200,
  // Probes may use HEAD, and so may every reader of a document.
  ({ method }, theirs, ours) => method === 'HEAD' && [403, 405].includes(theirs.code) && ours.code === 200,
  // Handlers of Go that do not look at the method.
  ({ method }, theirs, ours) => method !== 'GET' && theirs.code === 200 && ours.code === 405,
  // As on every other path, a slash at the end means nothing to who may read it.
  ({ path }, theirs, ours) => path.endsWith('/') && theirs.code === 404 && [200, 405].includes(ours.code),
];

export const isKnownDifference: Difference = (asked, theirs, ours) => KNOWN.some((is) => is(asked, theirs, ours));
