/** Sets an own property of any name, since assigning to `__proto__` would change the prototype. Modifies `target`. */
export function setMember<V>(target: Record<string, V>, name: string, value: V): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[name] = value;
  }
}
