/** A parser for comma-separated values (RFC 4180), for token files. */

/** One record and its first line, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Thrown for invalid CSV. */
export class CsvError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Records end with LF or CRLF, which the last one may omit; empty lines are skipped. A quoted field may contain commas,
 * line breaks and doubled quotes; quotes elsewhere are errors. White space is part of its field.
 */
export function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let line = 1;
  let firstLine = 1;
  for (let at = 0; at < text.length;) {
    const field = text[at] === '"' ? quotedField(text, at, line) : plainField(text, at, line);
    const emptyLine = fields.length === 0 && field.end === at;
    line += field.breaks;
    const separator = separatorAt(text, field.end);
    if (separator === undefined) throw new CsvError(line, 'there is text after a closing quote');
    fields.push(field.value);
    at = field.end + separator.length;
    if (separator === ',') {
      if (at < text.length) continue;
      fields.push(''); // a comma at the very end still begins a field
    }
    if (!emptyLine || separator === ',') records.push({ line: firstLine, fields });
    fields = [];
    line += 1;
    firstLine = line;
  }
  return records;
}

/** The separator at `at`; empty at the end of the text, undefined if the field continues. */
function separatorAt(text: string, at: number): ',' | '\n' | '\r\n' | '' | undefined {
  if (at >= text.length) return '';
  if (text[at] === ',') return ',';
  if (text[at] === '\n') return '\n';
  return text.startsWith('\r\n', at) ? '\r\n' : undefined;
}

interface CsvField {
  readonly value: string;
  /** Offset after the field, including a closing quote. */
  readonly end: number;
  readonly breaks: number;
}

function plainField(text: string, start: number, line: number): CsvField {
  let end = start;
  while (separatorAt(text, end) === undefined) {
    if (text[end] === '"') throw new CsvError(line, 'there is a quote in an unquoted field');
    end += 1;
  }
  return { value: text.slice(start, end), end, breaks: 0 };
}

function quotedField(text: string, start: number, line: number): CsvField {
  let value = '';
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw new CsvError(line, 'a quoted field is not closed');
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1, breaks: value.split('\n').length - 1 };
    value += '"';
    from = quote + 2;
  }
}
