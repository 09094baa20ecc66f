/** Table rows (meta.k8s.io), as kubectl shows them. All columns are sent; clients hide some. */
import { metadataEnd, ObjectEncoding, resourceVersionOf } from '../../apimachinery/meta/object-encoding.ts';
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { Kind, KubernetesObject, TableColumn } from '../../apis/kind.ts';
import type { ComposedObject, ItemTemplate } from '../../watchcache/representations/representation.ts';
import { createUncachedPage } from '../../watchcache/uncached-page.ts';
import type { ListPage } from '../../watchcache/watch-cache.ts';
import { tableWatchWriter, NO_COLUMNS } from './table-watch-writer.ts';
import { withNewline, JSON_TYPES } from './json-output.ts';
import { listMeta } from './list-meta.ts';
import type { ResourceRepresentation } from './resource-representation.ts';
import { ConvertedItem } from './converted-item.ts';
import { type RowFormat, TableRow } from './table-row.ts';

/** The part of its object that a row contains. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableRepresentationOptions {
  /** The shown kind; `cells` takes stored objects. */
  readonly kind: Pick<Kind, 'definition' | 'table'>;
  /** Encoding of the stored objects. */
  readonly encoding: ObjectEncoding;
  /** Converts an item to that of the shown version. Absent: both are the same. */
  readonly toShown?: ((itemBytes: Buffer) => Buffer) | undefined;
  /** Version of the Table and of partial metadata in its rows. */
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly id: string;
  readonly now: () => number;
  /** Parses an item of a list, or an object with kind and apiVersion. May throw for damaged bytes. */
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
  const { rank } = kind.table;
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
    ...(rank === undefined ? {} : { arrange: (page) => ranked(page, (itemBytes) => rank(readObject(itemBytes, parse))) }),
  };
}

/** Of equal ranks, the order of their keys is that of their names. */
function ranked(page: ListPage, rankOf: (itemBytes: Buffer) => number): ListPage {
  const rows = Array.from(page.objects, (object) => ({ object, rank: rankOf(object.itemBytes) }));
  return createUncachedPage({ objects: rows.sort((a, b) => a.rank - b.rank).map(({ object }) => object) });
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

/** The bookmark that ends the initial events, marked by an annotation that clients wait for. */
const isClosingBookmark = ({ metadata }: KubernetesObject): boolean => metadata.name === undefined && metadata.annotations !== undefined;

/** Includes empty fields, which clients have always been sent. */
const columnDefinition = ({ name, type, format, description, priority }: TableColumn) => ({
  name,
  type,
  format: format ?? '',
  description,
  priority,
});

/** Numbers in which JSON.parse may lose digits. It takes half the time of the lossless parser. */
const MANY_DIGITS = /\d{16}/;

/** A damaged object gets empty cells, so that the others are still listed. */
function readObject(json: Buffer, parse: TableRepresentationOptions['parse']): KubernetesObject {
  try {
    const text = json.toString();
    return { ...EMPTY, ...(MANY_DIGITS.test(text) ? parse(json) : (JSON.parse(text) as JsonObject)) };
  } catch {
    return EMPTY;
  }
}
