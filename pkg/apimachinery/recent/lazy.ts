/** A function that calls `create` when it is first called, and returns the same value ever after. */
export function lazy<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}
