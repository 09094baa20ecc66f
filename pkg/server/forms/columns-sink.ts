/** A Table watch: column definitions stand in its first event only, whichever that is. */
import type { ByteSink } from '../../apimachinery/streams/byte-sink.ts';

/** Stands in every event as it is shared by all streams. */
export const NO_COLUMNS = '"columnDefinitions":null';
const MARK = Buffer.from(NO_COLUMNS);

/** Puts `columns` in place of `NO_COLUMNS` in the first table that is written, and passes on everything else as it is. */
export function columnsSink(sink: ByteSink, columns: string): ByteSink {
  let isDue = true;
  return {
    write: (bytes) => {
      if (!isDue) return sink.write(bytes);
      // Nothing of an object stands before it in a line. The only line without it is an ERROR, and nothing follows that.
      const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(MARK);
      if (at < 0) return sink.write(bytes);
      isDue = false;
      return sink.write(Buffer.concat([bytes.subarray(0, at), Buffer.from(columns), bytes.subarray(at + MARK.length)]));
    },
    drained: () => sink.drained(),
    get queuedBytes() {
      return sink.queuedBytes;
    },
    get closed() {
      return sink.closed;
    },
  };
}
