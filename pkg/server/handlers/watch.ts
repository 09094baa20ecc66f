/**
 * `?watch=true` on a collection, and GET of the `/watch/` paths: changes as JSON lines, or as frames of protobuf, until
 * the client, the time or the server ends it.
 */
import type { Features } from '../../apimachinery/features/features.ts';
import { StreamBrokenOff } from '../transports/request.ts';
import type { ResourceHandler } from './resource-call.ts';
import { parseWatchOptions } from './watch-options.ts';

export interface WatchHandlerOptions {
  /**
   * A watch without timeoutSeconds lasts this long, to twice this long: spread, so that clients do not return all at
   * once.
   */
  readonly minWatchMs: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly features: Features;
}

/** How long a watch lasts that does not say. */
export const unaskedWatchMs = ({ minWatchMs, random }: Pick<WatchHandlerOptions, 'minWatchMs' | 'random'>): number =>
  minWatchMs * (1 + random());

export const createWatch =
  ({ features, ...time }: WatchHandlerOptions): ResourceHandler =>
  async ({ context, info, resource, representation }) => {
    const { timeoutMs = unaskedWatchMs(time), ...query } = parseWatchOptions(context.query, resource.kind, info, features);
    const run = await resource.store.watch({
      ...query,
      signal: context.signal,
      ...(representation === undefined ? {} : { representation: representation.items }),
    });
    context.becomeLongRunning(timeoutMs);
    return {
      code: 200,
      headers: { 'Content-Type': representation?.streamType ?? 'application/json' },
      stream: async (writer) => {
        const { reason } = await run(representation === undefined ? writer : representation.eventWriter(writer));
        if (reason !== 'slow') return;
        resource.slowWatchers.inc();
        // An end in good order would wait behind what the reader does not take, and keep those bytes.
        throw new StreamBrokenOff('the client does not read its watch');
      },
    };
  };
