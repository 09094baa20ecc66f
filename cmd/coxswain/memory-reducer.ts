import { Script } from 'node:vm';

/** An allocation counts for some minutes. */
const EVERY_MS = 60_000;

/**
 * Makes V8 return memory to the system when a server has become idle. V8 does so by itself (its memory reducer) once
 * little is allocated, in JavaScript and among the objects that Node keeps in C++; but it takes a rate of exactly 0 for
 * a high one, and a server allocates none of the latter. So one such object is made every now and then, as long as the
 * process lives.
 */
export function startMemoryReducer(): void {
  const allocate = () => new Script('0');
  allocate();
  setInterval(allocate, EVERY_MS).unref();
}
