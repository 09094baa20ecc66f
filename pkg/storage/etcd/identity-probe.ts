import type { RevisedChange, Revision, StoredRecord } from '../backend.ts';
import type { Key } from '../keys.ts';

/** A prefix that includes the random token of the write attempt. */
const PREFIX_BYTES = 64;

/** A value that a watch delivered. A store that does not have it at its revision has a different history. */
export class IdentityProbe {
  readonly key: Key;
  readonly revision: Revision;
  readonly #length: number;
  readonly #prefix: Buffer;

  constructor({ key, revision, value }: StoredRecord) {
    this.key = key;
    this.revision = revision;
    this.#length = value.length;
    // Copied, because a view would retain the whole message.
    this.#prefix = Buffer.from(value.subarray(0, PREFIX_BYTES));
  }

  /** The last value in `changes`. */
  static of(changes: readonly RevisedChange[]): IdentityProbe | undefined {
    const record = changes.findLast((change) => change.record !== undefined)?.record;
    return record === undefined ? undefined : new IdentityProbe(record);
  }

  /** `record`: what the store has for `key` at `revision`. */
  matches(record: StoredRecord | undefined): boolean {
    if (record === undefined) return false;
    const { revision, value } = record;
    return revision === this.revision && value.length === this.#length && this.#prefix.equals(value.subarray(0, PREFIX_BYTES));
  }
}
