/**
 * Bytes that are really in use: asks the server process, through Node's own debugging port, to collect garbage and then
 * to say what it holds. The port opens on SIGUSR1, on loopback, and only for the process that is measured;
 * `--inspect-port=0` must stand in its NODE_OPTIONS.
 */
import { deadline, waitFor } from '../support/wait.ts';

export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };
const ANSWER_MS = 20_000;
const LISTENING = /Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/\S+)/;

export interface LiveMemory {
  /** In ArrayBuffers: everything that Buffers hold. */
  readonly buffers: number;
  readonly heap: number;
  readonly resident: number;
}

export async function liveMemory(process: {
  readonly signal: (name: NodeJS.Signals) => void;
  readonly output: () => string;
}): Promise<LiveMemory> {
  const url = () => LISTENING.exec(process.output())?.[1];
  if (url() === undefined) process.signal('SIGUSR1');
  await waitFor(() => url() !== undefined, { what: 'the debugging port of the server' });
  const socket = new WebSocket(url() ?? '');
  try {
    await deadline(new Promise((resolve) => socket.addEventListener('open', resolve, { once: true })), ANSWER_MS, 'the debugging port');
    await call(socket, 1, 'HeapProfiler.collectGarbage', {});
    const answer = (await call(socket, 2, 'Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' })) as {
      result: { value: string };
    };
    const { arrayBuffers, heapUsed, rss } = JSON.parse(answer.result.value) as NodeJS.MemoryUsage;
    return { buffers: arrayBuffers, heap: heapUsed, resident: rss };
  } finally {
    socket.close();
  }
}

function call(socket: WebSocket, id: number, method: string, params: object): Promise<unknown> {
  const answered = new Promise<unknown>((resolve) => {
    const listen = (event: MessageEvent): void => {
      const message = JSON.parse(String(event.data)) as { id?: number; result?: unknown };
      if (message.id !== id) return;
      socket.removeEventListener('message', listen);
      resolve(message.result);
    };
    socket.addEventListener('message', listen);
  });
  socket.send(JSON.stringify({ id, method, params }));
  return deadline(answered, ANSWER_MS, method);
}
