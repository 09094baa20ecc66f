/** Objects as rows of a Table (meta.k8s.io): what kubectl shows. All columns are sent; clients hide what they do not show. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import { canonicalHead } from '../../apimachinery/meta/object-bytes.ts';
import type { Kind, KubernetesObject, TableColumn } from '../../apis/kind.ts';
import type { ComposedObject, PreparedObject } from '../../watchcache/watch-cache.ts';
import { columnsSink, NO_COLUMNS } from './columns-sink.ts';
import { metadataEnd, resourceVersionOf, toListForm } from './list-form.ts';
import { endOfJson, JSON_TYPES } from './json-answer.ts';
import { listMeta } from './list-meta.ts';
import type { ObjectForm } from './object-form.ts';
import { OfOtherBytes } from './of-other-bytes.ts';
import { type RowFormat, TableRow } from './table-row.ts';

/** What of its object a row carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableFormOptions {
  /** What is shown; `cells` are given stored objects. */
  readonly kind: Pick<Kind, 'definition' | 'table'>;
  /** What stands before the metadata of a whole stored object. */
  readonly head: Buffer;
  /** Of a stored object's form inside a list what is shown of it whole. Absent: the very bytes. */
  readonly toShown?: ((listForm: Buffer) => Buffer) | undefined;
  /** Of the table, and of partial metadata in its rows. */
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly id: string;
  readonly now: () => number;
  /** Of an object's bytes, in the form inside a list or with kind and apiVersion. May throw for damaged bytes. */
  readonly parse: (json: Buffer) => JsonObject;
}

const ROW_START = '{"cells":[';
const CLOSE_TABLE = Buffer.from(']}');
const EMPTY: KubernetesObject = { kind: '', apiVersion: '', metadata: {} };

export function createTableForm({ kind, head, toShown, apiVersion, includeObject, id, now, parse }: TableFormOptions): ObjectForm {
  const columns = `"columnDefinitions":${JSON.stringify(kind.table.columns.map(columnDefinition))}`;
  const shownHead = canonicalHead(kind.definition);
  const format = rowFormat(includeObject, apiVersion, shownHead);
  const closingFormat = rowFormat('Metadata', apiVersion, shownHead);

  const prepare = (listForm: Buffer): PreparedObject => {
    const object = readObject(listForm, parse);
    const cells = kind.table.cells(object);
    if (includeObject === 'Object') {
      const shown = toShown?.(listForm);
      return shown === undefined
        ? new TableRow(format, cells, listForm.length)
        : new OfOtherBytes(new TableRow(format, cells, shown.length), shown);
    }
    if (includeObject === 'Metadata') return new TableRow(format, cells, metadataEnd(listForm));
    return isClosingBookmark(object) ? new TableRow(closingFormat, cells, metadataEnd(listForm)) : new TableRow(format, cells, 0);
  };
  const table = (listForm: Buffer, at: number, definitions: string): ComposedObject => {
    const row = prepare(listForm);
    const metadata = JSON.stringify({ resourceVersion: resourceVersionOf(listForm) });
    const start = `{"kind":"Table","apiVersion":"${apiVersion}","metadata":${metadata},${definitions},"rows":[`;
    const json = Buffer.allocUnsafeSlow(start.length * 3 + row.maxBytes + CLOSE_TABLE.length);
    let end = json.write(start);
    end = row.writeTo(json, end, listForm, at);
    end += CLOSE_TABLE.copy(json, end);
    return { bytes: json.subarray(0, end), validUntil: row.validUntil(at) };
  };

  return {
    ...JSON_TYPES,
    derived: { id, now, prepare, eventObject: (listForm, at) => table(listForm, at, NO_COLUMNS) },
    toObject: (json) => endOfJson(table(toListForm(json, head), now(), columns).bytes),
    listHead: (list) => Buffer.from(`{"kind":"Table","apiVersion":"${apiVersion}","metadata":${listMeta(list)},${columns},"rows":[`),
    listTail: endOfJson(CLOSE_TABLE),
    eventSink: (sink) => columnsSink(sink, columns),
  };
}

function rowFormat(includeObject: IncludeObject, apiVersion: string, head: Buffer): RowFormat {
  switch (includeObject) {
    case 'None':
      return { start: ROW_START, middle: '],"object":null}', end: '' };
    case 'Metadata':
      return { start: ROW_START, middle: `],"object":{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}",`, end: '}}' };
    case 'Object':
      return { start: ROW_START, middle: `],"object":${head.toString()}`, end: '}' };
  }
}

/** The one that says, by an annotation, that the initial events are over: clients wait for it, whatever they want to see of objects. */
const isClosingBookmark = ({ metadata }: KubernetesObject): boolean => metadata.name === undefined && metadata.annotations !== undefined;

/** All fields, also those without a value: that is how clients have always been sent them. */
const columnDefinition = ({ name, type, format, description, priority }: TableColumn) => ({
  name,
  type,
  format: format ?? '',
  description,
  priority,
});

/** Where JSON.parse, which takes half the time of the lossless parser, might lose digits of a number. */
const MANY_DIGITS = /\d{16}/;

/** One damaged object must not hide all others: its cells are empty. */
function readObject(json: Buffer, parse: TableFormOptions['parse']): KubernetesObject {
  try {
    const text = json.toString();
    return { ...EMPTY, ...(MANY_DIGITS.test(text) ? parse(json) : (JSON.parse(text) as JsonObject)) };
  } catch {
    return EMPTY;
  }
}
