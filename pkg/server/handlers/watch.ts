/** `?watch=true` on a collection, and GET of `/watch/` paths: streams changes as JSON lines or protobuf frames. */
import type { Features } from '../../apimachinery/features/features.ts';
import { StreamAborted } from '../transports/request.ts';
import type { ResourceHandler } from './resource-call.ts';
import { WatchCounts } from './watch-counts.ts';
import { parseWatchOptions } from './watch-options.ts';

export interface WatchHandlerOptions {
  /** Without timeoutSeconds a watch lasts this long to twice as long, so that clients reconnect at different times. */
  readonly minWatchMs: number;
  /** 0 or absent: no limit. */
  readonly maxWatchesPerUser?: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly features: Features;
}

/** Duration of a watch without timeoutSeconds. */
export const defaultWatchMs = ({ minWatchMs, random }: Pick<WatchHandlerOptions, 'minWatchMs' | 'random'>): number =>
  minWatchMs * (1 + random());

export const createWatch = ({ features, maxWatchesPerUser = 0, ...time }: WatchHandlerOptions): ResourceHandler => {
  const counts = new WatchCounts(maxWatchesPerUser);
  return async ({ context, info, resource, representation }) => {
    const { timeoutMs = defaultWatchMs(time), ...query } = parseWatchOptions(context.query, resource.kind, info, features);
    const run = await resource.store.watch({
      ...query,
      signal: context.signal,
      onBegun: () => context.begun(),
      ...(representation === undefined ? {} : { representation: representation.items }),
    });
    const ended = counts.open(context.user.name);
    context.becomeLongRunning(timeoutMs);
    return {
      code: 200,
      headers: { 'Content-Type': representation?.streamType ?? 'application/json' },
      stream: async (writer) => {
        const { reason } = await run(representation === undefined ? writer : representation.eventWriter(writer)).finally(ended);
        if (reason !== 'slow') return;
        resource.slowWatchers.inc();
        // A normal end would queue behind unread data and retain it.
        throw new StreamAborted('the client does not read its watch');
      },
    };
  };
};
