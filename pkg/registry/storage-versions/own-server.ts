/** The heartbeat of this process: takes over its key at start, renews it, and detects its loss. */
import { NO_REVISION, type Backend, type Revision } from '../../storage/backend.ts';
import { createServerId } from './server-id.ts';
import { readServer, type Heartbeat, writeHeartbeat } from './server-key.ts';

export interface OwnServerOptions {
  readonly backend: Pick<Backend, 'get' | 'commit'>;
  /** Replaced when another running process has the same id. */
  readonly id: string;
  readonly hostName: string;
  readonly timeoutMs: number;
  readonly random: (size: number) => Buffer;
}

/**
 * - `renewed`: no other server has declared this one dead since the last heartbeat;
 * - `started`: the key was missing or marked. `disputed`: another server may still be removing entries of this id;
 * - `renamed`: another process uses the id, and this one continues with a new id.
 */
export type Refreshed =
  { readonly outcome: 'renewed' } | { readonly outcome: 'renamed' } | { readonly outcome: 'started'; readonly disputed: boolean };

const INSTANCE_BYTES = 8;
/** Other servers rarely write this key: only on start with the same id, or to mark it as dead. */
const MAX_RACES = 5;

export class OwnServer {
  readonly #options: OwnServerOptions;
  readonly #heartbeat: Heartbeat;
  #id: string;
  /** Revision of the last write. */
  #revision: Revision | undefined;
  /** Seen since the last outcome was returned: an attempt may write the key and then fail. */
  #isDisputed = false;
  #isRenamed = false;

  constructor(options: OwnServerOptions) {
    this.#options = options;
    this.#id = options.id;
    this.#heartbeat = { instance: options.random(INSTANCE_BYTES).toString('hex'), timeoutMs: options.timeoutMs, gone: false };
  }

  get id(): string {
    return this.#id;
  }

  /** Writes the key. Throws when the store does not respond. */
  async refresh(): Promise<Refreshed> {
    if (this.#revision !== undefined && (await this.#write(this.#revision))) return { outcome: 'renewed' };
    for (let races = 0; races < MAX_RACES; races++) {
      const found = await readServer(this.#options.backend, this.#id);
      const { instance, gone } = found?.heartbeat ?? { instance: undefined, gone: false };
      this.#isDisputed ||= gone;
      // Before the first write the key belongs to an ended process; after it, to one that started later.
      if (this.#revision !== undefined && instance !== undefined && instance !== this.#heartbeat.instance && !gone) {
        this.#rename();
        continue;
      }
      if (!(await this.#write(found?.revision ?? NO_REVISION))) continue;
      const [disputed, renamed] = [this.#isDisputed, this.#isRenamed];
      this.#isDisputed = false;
      this.#isRenamed = false;
      if (renamed) return { outcome: 'renamed' };
      // The last write succeeded and its reply was lost; it may have overwritten the mark.
      return instance === this.#heartbeat.instance && !disputed ? { outcome: 'renewed' } : { outcome: 'started', disputed };
    }
    throw new Error(`the key of server ${this.#id} was changed by others ${MAX_RACES} times in a row`);
  }

  #rename(): void {
    this.#id = createServerId(this.#options.hostName, this.#options.random);
    this.#revision = undefined;
    this.#isRenamed = true;
  }

  async #write(ifRevision: Revision): Promise<boolean> {
    const revision = await writeHeartbeat(this.#options, this.#id, ifRevision, this.#heartbeat);
    if (revision === undefined) return false;
    this.#revision = revision;
    return true;
  }
}
