/** A Table watch: column definitions stand in its first event only, whichever that is. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

/** Stands in every event as it is shared by all streams. */
export const NO_COLUMNS = '"columnDefinitions":null';
const MARK = Buffer.from(NO_COLUMNS);

/**
 * Puts `columns` in place of `NO_COLUMNS` in the first table that is written, and passes on everything else as it is.
 */
export function tableWatchWriter(writer: ResponseWriter, columns: string): ResponseWriter {
  let isDue = true;
  return {
    write: (bytes) => {
      if (!isDue) return writer.write(bytes);
      // Nothing of an object stands before it in a line. The only line without it is an ERROR, and nothing follows
      // that.
      const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(MARK);
      if (at < 0) return writer.write(bytes);
      isDue = false;
      return writer.write(Buffer.concat([bytes.subarray(0, at), Buffer.from(columns), bytes.subarray(at + MARK.length)]));
    },
    drained: () => writer.drained(),
    get queuedBytes() {
      return writer.queuedBytes;
    },
    get closed() {
      return writer.closed;
    },
  };
}
