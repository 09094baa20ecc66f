/** Waiting for a condition, never for a time. */

export interface WaitOptions {
  /** What was waited for, as the end of "timed out after 5000 ms waiting for …". */
  readonly what: string | (() => string);
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

const text = (what: string | (() => string)) => (typeof what === 'string' ? what : what());

/** Resolves as soon as `condition` holds. Throws what `condition` throws, or that it timed out. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { what, timeoutMs = 10_000, everyMs = 10 }: WaitOptions,
): Promise<void> {
  for (const end = performance.now() + timeoutMs; ;) {
    if (await condition()) return;
    if (performance.now() > end) throw new Error(`timed out after ${timeoutMs} ms waiting for ${text(what)}`);
    await new Promise((wake) => setTimeout(wake, everyMs));
  }
}

/** The result of `promise`, or an error when it takes longer than `timeoutMs`. Does not cancel anything. */
export async function deadline<T>(promise: Promise<T>, timeoutMs: number, what: string | (() => string)): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${timeoutMs} ms waiting for ${text(what)}`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
