/** Helpers for filters that wrap response streams. */
import type { ApiResponse, StreamResponse } from '../transports/request.ts';

type WriteStream = StreamResponse['stream'];

/** The same response with each stream wrapped. */
export function wrapStreams(response: StreamResponse, wrap: (write: WriteStream) => WriteStream): StreamResponse {
  const { stream, gzipStream } = response;
  return { ...response, stream: wrap(stream), ...(gzipStream === undefined ? {} : { gzipStream: wrap(gzipStream) }) };
}

/** Calls `onEnd` when the stream ends or fails, or immediately when there is none. */
export function afterResponse(response: ApiResponse, onEnd: () => void): ApiResponse {
  if ('stream' in response) return wrapStreams(response, (write) => (writer) => write(writer).finally(onEnd));
  onEnd();
  return response;
}
