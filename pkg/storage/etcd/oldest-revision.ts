/**
 * Finds the oldest readable revision by binary search, because etcd does not report it. It only grows, so each search
 * starts from the last result, and takes one read when nothing was compacted.
 */
export function createOldestRevision(isReadable: (revision: number) => Promise<boolean>): (current: number) => Promise<number> {
  let oldest = 1;
  return async (current) => {
    let low = Math.min(oldest, current);
    if (await isReadable(low)) return (oldest = low);
    // Invariant: `low` is not readable, `high` is.
    let high = current;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await isReadable(middle)) high = middle;
      else low = middle;
    }
    return (oldest = high);
  };
}
