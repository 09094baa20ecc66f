/** The sign of life of this process: takes its key over at the start, keeps it fresh, and notices when it was lost. */
import { NO_REVISION, type Backend, type Revision } from '../../storage/backend.ts';
import { createServerId } from './server-id.ts';
import { readServer, type Heartbeat, writeHeartbeat } from './server-key.ts';

export interface OwnServerOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  /** Another one is made when a running process turns out to have the same. */
  readonly id: string;
  readonly hostName: string;
  readonly timeoutMs: number;
  readonly random: (size: number) => Buffer;
}

/**
 * - `kept`: nobody has taken this server for gone since its last sign of life;
 * - `begun`: it was not known, or not any more. `disputed`: another server may still be removing entries of this id;
 * - `renamed`: another process lives under the id, and this one has begun with a new one.
 */
export type Refreshed =
  { readonly outcome: 'kept' } | { readonly outcome: 'renamed' } | { readonly outcome: 'begun'; readonly disputed: boolean };

const INSTANCE_BYTES = 8;
/** Others write this key when they start under the same id, or take this server for gone: never often. */
const MAX_RACES = 5;

export class OwnServer {
  readonly #options: OwnServerOptions;
  readonly #sign: Heartbeat;
  #id: string;
  /** Of the last write. */
  #revision: Revision | undefined;

  constructor(options: OwnServerOptions) {
    this.#options = options;
    this.#id = options.id;
    this.#sign = { instance: options.random(INSTANCE_BYTES).toString('hex'), timeoutMs: options.timeoutMs, gone: false };
  }

  get id(): string {
    return this.#id;
  }

  /** Writes the key. Throws when the store does not answer. */
  async refresh(): Promise<Refreshed> {
    if (this.#revision !== undefined && (await this.#write(this.#revision))) return { outcome: 'kept' };
    let disputed = false;
    let renamed = false;
    for (let races = 0; races < MAX_RACES; races++) {
      const found = await readServer(this.#options.backend, this.#id);
      const { instance, gone } = found?.sign ?? { instance: undefined, gone: false };
      disputed ||= gone;
      // At the start whatever is there is of a process that has ended. Later it is of one that has begun since.
      if (this.#revision !== undefined && instance !== undefined && instance !== this.#sign.instance && !gone) {
        this.#rename();
        renamed = true;
        continue;
      }
      if (!(await this.#write(found?.revision ?? NO_REVISION))) continue;
      if (renamed) return { outcome: 'renamed' };
      // The reply to the last write was lost, and it was done.
      return instance === this.#sign.instance && !disputed ? { outcome: 'kept' } : { outcome: 'begun', disputed };
    }
    throw new Error(`the key of server ${this.#id} is written by others all the time`);
  }

  #rename(): void {
    this.#id = createServerId(this.#options.hostName, this.#options.random);
    this.#revision = undefined;
  }

  async #write(ifRevision: Revision): Promise<boolean> {
    const revision = await writeHeartbeat(this.#options, this.#id, ifRevision, this.#sign);
    if (revision === undefined) return false;
    this.#revision = revision;
    return true;
  }
}
