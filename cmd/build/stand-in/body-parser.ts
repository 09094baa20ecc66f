/**
 * In the bundle, the readers of bodies that Express brings along. Bodies are read elsewhere (`pkg/server/transports`), and these readers with all their character sets
 * and query strings make up half of what Express takes to load. They are gone, and not silently.
 */
function unread(): never {
  throw new Error('the readers of bodies that Express brings along are not part of the built program');
}

export { unread as json, unread as raw, unread as text, unread as urlencoded };
