/** What filters do with the streams of a response. */
import type { ApiResponse, StreamResponse } from '../transports/request.ts';

type WriteStream = StreamResponse['stream'];

/** The same response with each of its streams wrapped. */
export function wrapStreams(response: StreamResponse, wrap: (write: WriteStream) => WriteStream): StreamResponse {
  const { stream, gzipStream } = response;
  return { ...response, stream: wrap(stream), ...(gzipStream === undefined ? {} : { gzipStream: wrap(gzipStream) }) };
}

/** The same response; `onEnd` is called when its stream has ended or failed, or at once when it has none. */
export function afterResponse(response: ApiResponse, onEnd: () => void): ApiResponse {
  if ('stream' in response) return wrapStreams(response, (write) => (writer) => write(writer).finally(onEnd));
  onEnd();
  return response;
}
