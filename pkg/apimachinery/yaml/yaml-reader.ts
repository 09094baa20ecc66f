/**
 * Reads YAML bodies beside the main thread, which goes on serving: a text of 3 MiB can take a minute. One thread,
 * started for the first body, ended when it has been idle, ended and started anew when a body takes too long or too
 * much memory, or nobody waits for it any more. Bodies wait for each other in order.
 */
import { isUtf8 } from 'node:buffer';
import { Worker } from 'node:worker_threads';
import { JsonCursor } from '../json/json-cursor.ts';
import { badRequest, StatusError } from '../status/status-error.ts';
import type { YamlReply } from './yaml-worker.ts';

export interface YamlReaderOptions {
  /** One body may take this long. */
  readonly maxMs: number;
  readonly maxMegabytes: number;
  /** An idle thread is ended after this long. */
  readonly idleMs: number;
}

/** An object of the largest size that is stored, 1.5 MiB, takes 3 s on a busy machine. */
export const DEFAULT_YAML_LIMITS: YamlReaderOptions = { maxMs: 10_000, maxMegabytes: 384, idleMs: 30_000 };

const YOUNG_MEGABYTES = 32;

interface YamlJob {
  readonly bytes: Buffer;
  readonly resolve: (json: Buffer) => void;
  readonly reject: (error: Error) => void;
}

export class YamlReader {
  readonly #options: YamlReaderOptions;
  readonly #waiting: YamlJob[] = [];
  #running: YamlJob | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: YamlReaderOptions = DEFAULT_YAML_LIMITS) {
    this.#options = options;
  }

  /**
   * The first document as JSON. JSON is YAML: such a body comes back as it is. Throws StatusError BadRequest that says
   * where; Timeout, at once, when `signal` aborts.
   */
  toJson(bytes: Buffer, signal?: AbortSignal): Promise<Buffer> {
    if (!isUtf8(bytes)) return Promise.reject(refusal('the body is not UTF-8'));
    if (isJson(bytes)) return Promise.resolve(bytes);
    if (signal?.aborted === true) return Promise.reject(givenUp());
    return new Promise((resolve, reject) => {
      const job = { bytes, resolve, reject };
      signal?.addEventListener('abort', () => this.#giveUp(job), { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Ends the thread; bodies that are being read fail. */
  close(): void {
    const why = new StatusError('ServiceUnavailable', 'the server stops');
    for (const job of this.#waiting.splice(0)) job.reject(why);
    this.#end(why);
    clearTimeout(this.#timer);
  }

  /** Others are not kept waiting for what nobody wants. Does nothing to a body that was read. */
  #giveUp(job: YamlJob): void {
    if (job === this.#running) {
      this.#end(givenUp());
      return;
    }
    const at = this.#waiting.indexOf(job);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    job.reject(givenUp());
  }

  #next(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#timer);
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#timer = setTimeout(() => this.#end(), this.#options.idleMs).unref();
      return;
    }
    this.#running = job;
    const { maxMs } = this.#options;
    this.#timer = setTimeout(() => this.#end(refusal(`the body takes longer than ${maxMs / 1000} s to read`)), maxMs);
    this.#worker ??= this.#start();
    this.#worker.postMessage(job.bytes);
  }

  #start(): Worker {
    const { maxMegabytes } = this.#options;
    const worker = new Worker(workerUrl(), {
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    worker.unref();
    worker.on('message', (reply: YamlReply) => {
      // What a thread had answered when it was ended still arrives; the body that is read now is another.
      if (worker !== this.#worker) return;
      const job = this.#running;
      this.#running = undefined;
      if ('json' in reply) job?.resolve(Buffer.from(reply.json.buffer, reply.json.byteOffset, reply.json.byteLength));
      else job?.reject(refusal(reply.refusal));
      this.#next();
    });
    worker.on('error', (error: Error) => {
      if (worker !== this.#worker) return;
      this.#end(isOutOfMemory(error) ? refusal('the body takes too much memory to read') : error);
    });
    return worker;
  }

  /** Ends the thread and, with it, the body that is being read. */
  #end(why?: Error): void {
    clearTimeout(this.#timer);
    void this.#worker?.terminate();
    this.#worker = undefined;
    const job = this.#running;
    this.#running = undefined;
    if (job === undefined) return;
    job.reject(why ?? new Error('the thread that reads YAML was ended'));
    this.#next();
  }
}

const refusal = (why: string) => badRequest(`error converting YAML to JSON: yaml: ${why}`);

const givenUp = () => new StatusError('Timeout', 'the request was given up while its body was read');

/** Beside this file, whether it runs from its source or was built. */
const workerUrl = () => new URL(import.meta.url.endsWith('.ts') ? './yaml-worker.ts' : './yaml-worker.js', import.meta.url);

const isOutOfMemory = (error: Error) => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function isJson(bytes: Buffer): boolean {
  const cursor = new JsonCursor(bytes.toString('utf8'));
  const first = cursor.next();
  if (first !== 0x7b && first !== 0x5b) return false;
  try {
    cursor.skip(0, first);
    return cursor.next() === -1;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
