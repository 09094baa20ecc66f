/** Wakes everyone who waits; says nothing about why. Who wakes looks for himself, and may wait again. */
export class Pulse {
  readonly #waiting = new Set<() => void>();

  beat(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Until the next beat, or until `signal` aborts. Never rejects, leaves no listener behind. */
  async next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
