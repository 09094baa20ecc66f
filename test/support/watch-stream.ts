/** A watch as the tests read it: event by event, in order, each with a deadline. */
import type { IncomingMessage } from 'node:http';
import type { ApiObject } from './api-object.ts';
import { deadline } from './wait.ts';

const EVENT_MS = 10_000;

export interface WatchEvent {
  readonly type: string;
  readonly object: ApiObject;
}

export interface WatchStream {
  readonly contentType: string;
  /** The next event; throws when the stream ends first, or after ten seconds. */
  readonly next: () => Promise<WatchEvent>;
  /** The next `count` events. */
  readonly take: (count: number) => Promise<readonly WatchEvent[]>;
  /** Events up to and including the first that `isLast`. */
  readonly until: (isLast: (event: WatchEvent) => boolean) => Promise<readonly WatchEvent[]>;
  /** Events that have arrived and were not read yet. */
  readonly pending: () => readonly WatchEvent[];
  /** `end`: the server ended the answer as HTTP wants it. `cut`: the connection broke off. `closed`: we closed it. */
  readonly ended: Promise<'end' | 'cut' | 'closed'>;
  readonly close: () => void;
}

export function openWatchStream(message: IncomingMessage): WatchStream {
  const arrived: WatchEvent[] = [];
  let rest = '';
  let closed = false;
  let over = false;
  let wake = () => {};
  const ended = new Promise<'end' | 'cut' | 'closed'>((resolve) => {
    message.once('close', () => {
      over = true;
      wake();
      resolve(closed ? 'closed' : message.complete ? 'end' : 'cut');
    });
  });
  message.on('error', () => {}); // told by 'close'
  message.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') arrived.push(JSON.parse(line) as WatchEvent);
    wake();
  });

  const next = async (): Promise<WatchEvent> => {
    for (;;) {
      const event = arrived.shift();
      if (event !== undefined) return event;
      if (over) throw new Error('the watch has ended');
      const news = new Promise<void>((resolve) => (wake = resolve));
      await deadline(news, EVENT_MS, 'the next watch event');
    }
  };
  return {
    contentType: message.headers['content-type'] ?? '',
    next,
    take: async (count) => {
      const events: WatchEvent[] = [];
      while (events.length < count) events.push(await next());
      return events;
    },
    until: async (isLast) => {
      const events: WatchEvent[] = [];
      for (;;) {
        const event = await next();
        events.push(event);
        if (isLast(event)) return events;
      }
    },
    pending: () => arrived,
    ended,
    close: () => {
      closed = true;
      message.destroy();
    },
  };
}
