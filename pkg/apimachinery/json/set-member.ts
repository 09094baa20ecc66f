/**
 * Sets an own property whatever its name. Assigning to `__proto__` would change the prototype instead of adding a
 * member; every other name is ordinary. Changes `target`: only for objects that the caller has just made.
 */
export function setMember<V>(target: Record<string, V>, name: string, value: V): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[name] = value;
  }
}
