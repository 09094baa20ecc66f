/** JSON text with numbers and nestings in it that no JavaScript value stands for. */

const MARK = '\u0001token:';

/** Stands in a value for `text`, which goes into the JSON as it is: `1e400`, or `[[[[…`. */
export const token = (text: string): string => MARK + text;

/** `value` as JSON, its tokens filled in. */
export const toJsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/"\\u0001token:((?:[^"\\]|\\.)*)"/g, (_, quoted: string) => String(JSON.parse(`"${quoted}"`)));
