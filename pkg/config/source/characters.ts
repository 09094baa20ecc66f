/** The characters that YAML goes by, as UTF-16 units. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const AMPERSAND = 0x26;
export const APOSTROPHE = 0x27;
export const ASTERISK = 0x2a;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** A blank, the end of a line, or, as `NaN`, the end of the text. */
export const isBlank = (code: number): boolean => code === SPACE || code === LF || code === TAB || code === CR || Number.isNaN(code);

/** What ends a scalar without quotes within brackets. */
export const isFlowIndicator = (code: number): boolean =>
  code === COMMA || code === OPEN_BRACKET || code === CLOSE_BRACKET || code === OPEN_BRACE || code === CLOSE_BRACE;
