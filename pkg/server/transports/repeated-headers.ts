import type { RepeatedHeaders } from './request.ts';

/** `raw`: names and values in turn, as Node has them. */
export function repeatedHeaders(raw: readonly string[]): RepeatedHeaders | undefined {
  const values = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = raw[at + 1] ?? '';
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  for (const [name, each] of values) if (each.length === 1) values.delete(name);
  return values.size === 0 ? undefined : values;
}
