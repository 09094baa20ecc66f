/**
 * Run by the durability tests as a process of its own: opens a store and writes to it, and says on stdout what was
 * acknowledged. Lines are written synchronously, so whatever was acknowledged has been said before anything else
 * happens.
 *
 *   ready <revision>                          the store is open
 *   refused <message>                         it is not
 *   ack <revision> <key> <length> <seed>      a commit was acknowledged; `testValue(length, seed)` is what it wrote, a
 *   length of -1 deleted
 *   see <who> <revision>                      a reader, a watcher or the loser of a compare-and-set saw this revision
 *   first now
 *   readonly <code> <message>                 a commit failed
 *   after <count> <code> <notReady>           then: records that can be read (or the code of that), the code of one
 *   more commit, what status says
 *   done                                      all commits are made, and the store is closed
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { NO_REVISION, toRevision, type Backend, type Revision } from '../../pkg/storage/backend.ts';
import { openEmbeddedBackend } from '../../pkg/storage/embedded/open-embedded-backend.ts';
import { isStorageError } from '../../pkg/storage/errors.ts';
import { toKey, type Key } from '../../pkg/storage/keys.ts';
import { testValue } from './test-value.ts';

export interface WriterOptions {
  readonly dir: string;
  readonly prefix: string;
  readonly writers: number;
  /** Per writer; 0 opens the store and holds it. */
  readonly commits: number;
  readonly bytes: number;
  readonly noSync?: boolean;
  /** With one writer: a reader, a watcher and a loser beside it say when they first see each commit. */
  readonly observe?: boolean;
}

const KEYS_PER_WRITER = 20;
/** Waits for a reader that is behind: the pipe may be one that refuses instead of blocking. */
function say(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.byteLength > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
const text = (error: unknown) => (error instanceof Error ? error.message : String(error));
const codeOf = (error: unknown) => (isStorageError(error) ? error.code : 'unexpected');

const options = JSON.parse(process.argv[2] ?? '{}') as WriterOptions;
// A limit on the file size then shows as a failed write instead of ending the process.
process.on('SIGXFSZ', () => undefined);

/** Looks for `revision` in every tick, as fast as it can, and races the writer to the key. */
async function observe(backend: Backend, key: Key, revision: Revision, ifRevision: Revision): Promise<void> {
  const abort = new AbortController();
  const watch = async () => {
    for await (const { changes } of backend.watch({ from: toRevision(revision - 1), signal: abort.signal })) {
      if (changes.length > 0) break;
    }
    say(`see watcher ${revision}`);
  };
  const lose = async () => {
    const result = await backend.commit({ key, ifRevision, value: Buffer.from('loser') });
    if (result.outcome === 'mismatch') say(`see loser ${revision}`);
  };
  const read = async () => {
    while ((await backend.get(key)).record?.revision !== revision) await new Promise((resolve) => setImmediate(resolve));
    say(`see reader ${revision}`);
  };
  await Promise.all([watch(), lose(), read()]);
}

/** Creates, updates and now and then deletes its own keys until all is done, or a commit fails. */
async function write(backend: Backend, writer: number): Promise<void> {
  const revisions = new Map<string, Revision>();
  for (let i = 0; i < options.commits; i++) {
    const name = `${options.prefix}${writer}/${i % KEYS_PER_WRITER}`;
    const ifRevision = revisions.get(name) ?? NO_REVISION;
    const remove = ifRevision !== NO_REVISION && i % 7 === 0;
    const length = remove ? -1 : options.bytes + (i % 13);
    const commit = backend.commit({ key: toKey(name), ifRevision, value: remove ? null : testValue(length, i) });
    const next = toRevision((await backend.currentRevision()) + 1);
    const [result] = await Promise.all([commit, options.observe === true && !remove && observe(backend, toKey(name), next, ifRevision)]);
    if (result.outcome === 'unknown') throw result.cause;
    if (result.outcome === 'mismatch') throw new Error(`nobody else writes ${name}`);
    say(`ack ${result.revision} ${name} ${length} ${i}`);
    revisions.set(name, remove ? NO_REVISION : result.revision);
  }
}

async function reportFailure(backend: Backend, error: unknown): Promise<void> {
  say(`readonly ${codeOf(error)} ${text(error)}`);
  const readable = await backend
    .range({ start: toKey('/'), end: toKey('0'), limit: 1_000_000, maxBytes: 1 << 30 })
    .then(({ records }) => String(records.length), codeOf);
  const again = await backend
    .commit({ key: toKey('/again'), ifRevision: NO_REVISION, value: Buffer.from('x') })
    .then(({ outcome }) => outcome, codeOf);
  say(`after ${readable} ${again} ${(await backend.status()).notReady ?? '-'}`);
}

async function main(): Promise<void> {
  const log = { error: (message: string) => say(`log ${message}`), warn: say, info: say, debug: say };
  const backend = await openEmbeddedBackend({ dir: options.dir, clock: systemClock, log, unsafeNoSync: options.noSync === true });
  say(`ready ${await backend.currentRevision()}`);
  if (options.commits === 0) {
    process.stdin.resume();
    return;
  }
  const ends = await Promise.allSettled(Array.from({ length: options.writers }, (_, i) => write(backend, i)));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) await reportFailure(backend, failed.reason);
  await backend.close();
  say('done');
}

main().catch((error: unknown) => {
  say(`refused ${text(error)}`);
  process.exitCode = 1;
});
