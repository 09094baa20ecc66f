/** The own member of that name, which may be `__proto__`. */
export const memberOf = <V>(object: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
