/**
 * The oldest revision that can still be read. etcd does not tell it, so it is searched for: reads at a revision fail
 * below it. It only grows, so the next search starts from the last answer, and costs one read when nothing was
 * compacted.
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
