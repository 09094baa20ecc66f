/**
 * Reads YAML bodies in a worker thread, because a text of 3 MiB can take a minute. One thread reads all bodies in
 * order. It starts with the first body and ends when idle. It is restarted when a body takes too long or too much
 * memory, or when the request of the body is aborted.
 */
import { isUtf8 } from 'node:buffer';
import { Worker } from 'node:worker_threads';
import { JsonCursor } from '../json/json-cursor.ts';
import { badRequest, StatusError } from '../status/status-error.ts';
import type { YamlReply } from './yaml-worker.ts';

export interface YamlReaderOptions {
  /** Time limit per body. */
  readonly maxMs: number;
  readonly maxMegabytes: number;
  /** An idle thread is ended after this time. */
  readonly idleMs: number;
}

/** An object of the maximum stored size, 1.5 MiB, takes 3 s on a busy machine. */
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
   * The first document as JSON; a JSON body is returned unchanged. Rejects with StatusError: BadRequest with the
   * position, or Timeout as soon as `signal` aborts.
   */
  toJson(bytes: Buffer, signal?: AbortSignal): Promise<Buffer> {
    if (!isUtf8(bytes)) return Promise.reject(refusal('the body is not UTF-8'));
    if (isJson(bytes)) return Promise.resolve(bytes);
    if (signal?.aborted === true) return Promise.reject(aborted());
    return new Promise((resolve, reject) => {
      const job = { bytes, resolve, reject };
      signal?.addEventListener('abort', () => this.#abort(job), { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Ends the thread; pending bodies fail. */
  close(): void {
    const why = new StatusError('ServiceUnavailable', 'the server stops');
    for (const job of this.#waiting.splice(0)) job.reject(why);
    this.#end(why);
    clearTimeout(this.#timer);
  }

  /** Removes an aborted body, so that others do not wait for it. Does nothing if it was already read. */
  #abort(job: YamlJob): void {
    if (job === this.#running) {
      this.#end(aborted());
      return;
    }
    const at = this.#waiting.indexOf(job);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    job.reject(aborted());
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
      // An answer of an ended thread may still arrive, but is not for the current body.
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

  /** Ends the thread; the current body fails. */
  #end(why?: Error): void {
    clearTimeout(this.#timer);
    void this.#worker?.terminate();
    this.#worker = undefined;
    const job = this.#running;
    this.#running = undefined;
    if (job === undefined) return;
    job.reject(why ?? new Error('the YAML worker thread was ended'));
    this.#next();
  }
}

const refusal = (why: string) => badRequest(`error converting YAML to JSON: yaml: ${why}`);

const aborted = () => new StatusError('Timeout', 'the request was aborted while its body was read');

/** In the same folder, both as source and as build output. */
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
