/** The member of that name, whatever the name; not what a prototype has. */
export const memberOf = <V>(object: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
