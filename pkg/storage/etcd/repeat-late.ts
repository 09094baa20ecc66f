/**
 * The first success of a read that is repeated while it is late. etcd loses linearizable reads at a change of its
 * leader, and fails them only after 7 s.
 */
export function repeatLate<T>(read: () => Promise<T>, afterMs: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let pending = 0;
  const attempt = () => {
    pending++;
    read().then(resolve, (error: unknown) => {
      pending--;
      // Others may still succeed.
      if (pending === 0) reject(error instanceof Error ? error : new Error(String(error)));
    });
  };
  attempt();
  const timer = setInterval(attempt, afterMs);
  return promise.finally(() => clearInterval(timer));
}
