/** A Table watch sends column definitions in its first event only. */
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';

/** Part of every encoded event, because all streams share the events. */
export const NO_COLUMNS = '"columnDefinitions":null';
const MARK = Buffer.from(NO_COLUMNS);

/** Replaces `NO_COLUMNS` by `columns` in the first Table; passes on everything else unchanged. */
export function tableWatchWriter(writer: ResponseWriter, columns: string): ResponseWriter {
  let isDue = true;
  return {
    write: (bytes) => {
      if (!isDue) return writer.write(bytes);
      // The mark precedes the object in each line. Only an ERROR lacks it, and that is the last event.
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
