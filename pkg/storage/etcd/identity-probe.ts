import type { RevisedChange, Revision, StoredRecord } from '../backend.ts';
import type { Key } from '../keys.ts';

/** The random token of an attempt to write stands within these. */
const KNOWN_BYTES = 64;

/**
 * A value that a watch was told of. A store that did not hold it at its revision has another history, however far it
 * has counted.
 */
export class IdentityProbe {
  readonly key: Key;
  readonly revision: Revision;
  readonly #length: number;
  readonly #start: Buffer;

  constructor({ key, revision, value }: StoredRecord) {
    this.key = key;
    this.revision = revision;
    this.#length = value.length;
    // A copy: the value would keep the whole message alive that it came with.
    this.#start = Buffer.from(value.subarray(0, KNOWN_BYTES));
  }

  /** The last one in `changes`. */
  static of(changes: readonly RevisedChange[]): IdentityProbe | undefined {
    const record = changes.findLast((change) => change.record !== undefined)?.record;
    return record === undefined ? undefined : new IdentityProbe(record);
  }

  /** `record`: what the store held under the key at the revision. */
  is(record: StoredRecord | undefined): boolean {
    if (record === undefined) return false;
    const { revision, value } = record;
    return revision === this.revision && value.length === this.#length && this.#start.equals(value.subarray(0, KNOWN_BYTES));
  }
}
