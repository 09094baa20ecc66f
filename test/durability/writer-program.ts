/**
 * Run by the durability tests as a process of its own: opens a store and writes to it, and says on stdout what was acknowledged. Lines
 * are written synchronously, so whatever was acknowledged has been said before anything else happens.
 *
 *   ready <revision>                          the store is open
 *   refused <message>                         it is not
 *   ack <revision> <key> <length> <seed>      a commit was acknowledged; `testValue(length, seed)` is what it wrote, a length of -1 deleted
 *   readonly <code> <message>                 a commit failed
 *   after <count> <code> <notReady>           then: records that can be read (or the code of that), the code of one more commit, what status says
 *   done                                      all commits are made, and the store is closed
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { NO_REVISION, type Backend, type Revision } from '../../pkg/storage/backend.ts';
import { openEmbeddedBackend } from '../../pkg/storage/embedded/open-embedded-backend.ts';
import { isStorageError } from '../../pkg/storage/errors.ts';
import { toKey } from '../../pkg/storage/keys.ts';
import { testValue } from './test-value.ts';

export interface WriterOptions {
  readonly dir: string;
  readonly prefix: string;
  readonly writers: number;
  /** Per writer; 0 opens the store and holds it. */
  readonly commits: number;
  readonly bytes: number;
  readonly noSync?: boolean;
}

const KEYS_PER_WRITER = 20;
const say = (line: string) => writeSync(1, `${line}\n`);
const text = (error: unknown) => (error instanceof Error ? error.message : String(error));
const codeOf = (error: unknown) => (isStorageError(error) ? error.code : 'unexpected');

const options = JSON.parse(process.argv[2] ?? '{}') as WriterOptions;
// A limit on the file size then shows as a failed write instead of ending the process.
process.on('SIGXFSZ', () => undefined);

/** Creates, updates and now and then deletes its own keys until all is done, or a commit fails. */
async function write(backend: Backend, writer: number): Promise<void> {
  const revisions = new Map<string, Revision>();
  for (let i = 0; i < options.commits; i++) {
    const name = `${options.prefix}${writer}/${i % KEYS_PER_WRITER}`;
    const ifRevision = revisions.get(name) ?? NO_REVISION;
    const remove = ifRevision !== NO_REVISION && i % 7 === 0;
    const length = remove ? -1 : options.bytes + (i % 13);
    const result = await backend.commit({ key: toKey(name), ifRevision, value: remove ? null : testValue(length, i) });
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
