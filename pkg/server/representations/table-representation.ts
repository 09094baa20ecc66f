/**
 * Objects as rows of a Table (meta.k8s.io): what kubectl shows. All columns are sent; clients hide what they do not
 * show.
 */
import { metadataEnd, ObjectEncoding, resourceVersionOf } from '../../apimachinery/meta/object-encoding.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { Kind, KubernetesObject, TableColumn } from '../../apis/kind.ts';
import type { ComposedObject, ItemTemplate } from '../../watchcache/representations/representation.ts';
import { tableWatchWriter, NO_COLUMNS } from './table-watch-writer.ts';
import { withNewline, JSON_TYPES } from './json-output.ts';
import { listMeta } from './list-meta.ts';
import type { ResourceRepresentation } from './resource-representation.ts';
import { ConvertedItem } from './converted-item.ts';
import { type RowFormat, TableRow } from './table-row.ts';

/** What of its object a row carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableRepresentationOptions {
  /** What is shown; `cells` are given stored objects. */
  readonly kind: Pick<Kind, 'definition' | 'table'>;
  /** Of the stored objects. */
  readonly encoding: ObjectEncoding;
  /** Of a stored object's representation inside a list what is shown of it whole. Absent: the very bytes. */
  readonly toShown?: ((itemBytes: Buffer) => Buffer) | undefined;
  /** Of the table, and of partial metadata in its rows. */
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly id: string;
  readonly now: () => number;
  /**
   * Of an object's bytes, in the representation inside a list or with kind and apiVersion. May throw for damaged bytes.
   */
  readonly parse: (json: Buffer) => JsonObject;
}

const ROW_START = '{"cells":[';
const CLOSE_TABLE = Buffer.from(']}');
const EMPTY: KubernetesObject = { kind: '', apiVersion: '', metadata: {} };

export function createTableRepresentation({
  kind,
  encoding,
  toShown,
  apiVersion,
  includeObject,
  id,
  now,
  parse,
}: TableRepresentationOptions): ResourceRepresentation {
  const columns = `"columnDefinitions":${JSON.stringify(kind.table.columns.map(columnDefinition))}`;
  const shownHead = new ObjectEncoding(kind.definition).head;
  const format = rowFormat(includeObject, apiVersion, shownHead);
  const closingFormat = rowFormat('Metadata', apiVersion, shownHead);

  const template = (itemBytes: Buffer): ItemTemplate => {
    const object = readObject(itemBytes, parse);
    const cells = kind.table.cells(object);
    if (includeObject === 'Object') {
      const shown = toShown?.(itemBytes);
      return shown === undefined
        ? new TableRow(format, cells, itemBytes.length)
        : new ConvertedItem(new TableRow(format, cells, shown.length), shown);
    }
    if (includeObject === 'Metadata') return new TableRow(format, cells, metadataEnd(itemBytes));
    return isClosingBookmark(object) ? new TableRow(closingFormat, cells, metadataEnd(itemBytes)) : new TableRow(format, cells, 0);
  };
  const table = (itemBytes: Buffer, at: number, definitions: string): ComposedObject => {
    const row = template(itemBytes);
    const metadata = JSON.stringify({ resourceVersion: resourceVersionOf(itemBytes) });
    const start = `{"kind":"Table","apiVersion":"${apiVersion}","metadata":${metadata},${definitions},"rows":[`;
    const json = Buffer.allocUnsafeSlow(start.length * 3 + row.maxBytes + CLOSE_TABLE.length);
    let end = json.write(start);
    end = row.writeTo(json, end, itemBytes, at);
    end += CLOSE_TABLE.copy(json, end);
    return { bytes: json.subarray(0, end), validUntil: row.validUntil(at) };
  };

  return {
    ...JSON_TYPES,
    items: { id, now, template, eventObject: (itemBytes, at) => table(itemBytes, at, NO_COLUMNS) },
    toObject: (json) => withNewline(table(encoding.itemOfSingleObject(json), now(), columns).bytes),
    listHead: (list) => Buffer.from(`{"kind":"Table","apiVersion":"${apiVersion}","metadata":${listMeta(list)},${columns},"rows":[`),
    listTail: withNewline(CLOSE_TABLE),
    eventWriter: (writer) => tableWatchWriter(writer, columns),
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

/**
 * The one that says, by an annotation, that the initial events are over: clients wait for it, whatever they want to see
 * of objects.
 */
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
function readObject(json: Buffer, parse: TableRepresentationOptions['parse']): KubernetesObject {
  try {
    const text = json.toString();
    return { ...EMPTY, ...(MANY_DIGITS.test(text) ? parse(json) : (JSON.parse(text) as JsonObject)) };
  } catch {
    return EMPTY;
  }
}
