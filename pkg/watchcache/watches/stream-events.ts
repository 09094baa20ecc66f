/** Lines of a watch stream that carry no object of the store: bookmarks and the error that ends a stream. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { Revision } from '../../storage/backend.ts';
import { type Key, keyText } from '../../storage/keys.ts';
import { eventLine } from './event.ts';
import type { CachedResource, Representation } from '../watch-cache.ts';

const NO_TAIL = Buffer.from('}');
const OPEN_BRACE = Buffer.from('{');

export interface Bookmark {
  readonly revision: Revision;
  /** Key of the annotation that says that the initial events are over. */
  readonly annotation?: string | undefined;
  readonly representation?: Representation | undefined;
}

/** An object of the kind with nothing in it but the revision up to which the stream is complete. */
export function bookmarkLine(
  { encoding, bookmarkTail = NO_TAIL }: Pick<CachedResource, 'encoding' | 'bookmarkTail'>,
  { revision, annotation, representation }: Bookmark,
): Buffer {
  const annotations = annotation === undefined ? '' : `,"annotations":{${JSON.stringify(annotation)}:"true"}`;
  const metadata = Buffer.from(`"metadata":{"resourceVersion":"${revision}"${annotations}}`);
  if (representation === undefined) return eventLine('BOOKMARK', Buffer.concat([encoding.head, metadata, bookmarkTail]));
  return eventLine(
    'BOOKMARK',
    representation.eventObject(Buffer.concat([OPEN_BRACE, metadata, bookmarkTail]), representation.now()).bytes,
    representation,
  );
}

/** What ends a stream. A representation whose stream is JSON shows a Status as it is. */
export const errorLine = (error: StatusError, representation: Representation | undefined): Buffer =>
  eventLine('ERROR', representation?.stream?.error(error) ?? Buffer.from(JSON.stringify(error.toStatus())), representation);

/** Changes after `from` are not all known any more. */
export const expired = (from: Revision, oldest: Revision): StatusError =>
  new StatusError('Expired', `too old resource version: ${from} (${oldest})`);

/** History was lost under an open stream. */
export const historyLost = (): StatusError => new StatusError('Expired', 'The resourceVersion for the provided watch is too old.');

/** An object is there, and cannot be shown: who is told of all others, and not of this one, takes it for deleted. */
export const unreadable = (key: Key): StatusError =>
  new StatusError(
    'InternalError',
    `The stored value of ${keyText(key)} cannot be read. Restore it, or delete the object with ignoreStoreReadErrorWithClusterBreakingPotential (feature gate AllowUnsafeMalformedObjectDeletion).`,
  );

/** The initial events were asked of a revision that has not happened. */
export const tooLarge = (from: Revision, current: Revision): StatusError =>
  new StatusError('Timeout', `Timeout: Too large resource version: ${from}, current: ${current}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });
