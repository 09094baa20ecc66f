import { Script } from 'node:vm';

/** V8 considers an allocation for some minutes. */
const EVERY_MS = 60_000;

/**
 * Makes V8 return memory to the system when the server is idle. V8's memory reducer does so when both the JavaScript
 * and the C++ heap allocate little, but it takes a C++ rate of exactly 0 for a high one, and an idle server has no C++
 * allocations. So this allocates one object periodically.
 */
export function startMemoryReducer(): void {
  const allocate = () => new Script('0');
  allocate();
  setInterval(allocate, EVERY_MS).unref();
}
