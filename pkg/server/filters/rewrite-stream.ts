/** Converts a stream of compact JSON to YAML or indented JSON while it is sent. */
import { JsonIndenter } from '../../apimachinery/json/indent-json.ts';
import { type Scheduler, ScheduledTask } from '../../apimachinery/scheduling/scheduler.ts';
import type { ResponseWriter } from '../../apimachinery/streams/response-writer.ts';
import { JsonToYaml } from '../../apimachinery/yaml/json-to-yaml.ts';
import type { Log } from '../../observability/logging.ts';
import type { Output } from '../negotiation/output.ts';
import type { StreamResponse } from '../transports/request.ts';
import type { IdentifiedContext } from './context.ts';
import { SegmentQueue } from './segment-queue.ts';
import { logFields } from './write-status.ts';

export interface RewriteOptions {
  readonly log: Log;
  readonly scheduler: Scheduler;
}

export function rewriteStream(
  { code, headers, byteLength = Number(headers['Content-Length'] ?? Infinity), stream }: StreamResponse,
  output: Output,
  context: IdentifiedContext,
  { log, scheduler }: RewriteOptions,
): StreamResponse {
  delete headers['Content-Length'];
  return {
    code,
    headers,
    byteLength,
    stream: async (writer) => {
      const queue = new SegmentQueue(writer);
      const failed = Promise.withResolvers<never>();
      const written = stream(queue).then(
        () => queue.end(),
        (error: unknown) => {
          const failure = error instanceof Error ? error : new Error(String(error));
          queue.end(failure);
          failed.reject(failure);
        },
      );
      try {
        // The rewriter may wait for a stalled client; a failure of the stream must end that wait.
        await Promise.race([rewrite(queue, output, writer, scheduler), failed.promise]);
      } catch (error) {
        if (error !== queue.failure) log.error('response encoding failed', { ...logFields(context), error });
        throw error;
      } finally {
        queue.close();
        await written;
      }
    },
  };
}

/** Stops when the client disconnects. */
async function rewrite(queue: SegmentQueue, { mediaType }: Output, writer: ResponseWriter, scheduler: Scheduler): Promise<void> {
  const rewriter = mediaType === 'application/yaml' ? new JsonToYaml() : new JsonIndenter();
  const task = new ScheduledTask(scheduler);
  for (;;) {
    const bytes = await queue.next();
    if (bytes === undefined) rewriter.end();
    else rewriter.feed(bytes);
    for (let rewritten = rewriter.read(); rewritten !== undefined; rewritten = rewriter.read()) {
      if (!writer.write(rewritten)) await writer.drained();
      if (writer.closed) return;
      if (task.shouldYield()) await task.yield();
    }
    if (bytes === undefined) return;
  }
}
