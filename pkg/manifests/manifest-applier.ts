/**
 * Applies the objects of a folder when it starts and whenever the folder changes. What fails does not keep back the
 * rest; it is reported, and tried again with growing pauses. Objects whose files go away are left.
 */
import { errorMessage } from '../apimachinery/status/error-message.ts';
import type { Clock } from '../apimachinery/time/clock.ts';
import type { YamlReader } from '../apimachinery/yaml/yaml-reader.ts';
import { readFileText } from '../config/source/read-text.ts';
import type { Log } from '../observability/logging.ts';
import { readManifestFolder } from './manifest-folder.ts';
import { displayName, type ManifestObject, type ManifestProblem } from './manifest-object.ts';
import { parseManifests, type ParsedManifests } from './parse-manifests.ts';

export interface ManifestApplierOptions {
  readonly folder: string;
  /** Whether the object was created. Rejects with an Error for people. */
  readonly apply: (object: ManifestObject) => Promise<{ readonly created: boolean }>;
  readonly yaml: Pick<YamlReader, 'toJson'>;
  /** Nothing is applied before it resolves. It may reject or never resolve. */
  readonly after: Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onApply: (isSuccess: boolean) => void;
  /** After each round: what is not as the files say. */
  readonly onProblems: (count: number) => void;
  readonly intervalMs?: number;
}

export interface ManifestApplier {
  /** Waits for what is being applied. */
  close(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 1000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** Starts immediately and does not throw. */
export function openManifestApplier(options: ManifestApplierOptions): ManifestApplier {
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  const run = async () => {
    await Promise.race([options.after, stopped]);
    await follow(options, stop.signal);
  };
  const running = run().catch((error: unknown) => {
    if (!stop.signal.aborted) options.log.error('manifests are no longer applied', { error });
  });
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

async function follow(options: ManifestApplierOptions, signal: AbortSignal): Promise<void> {
  const { folder, clock, intervalMs = DEFAULT_INTERVAL_MS } = options;
  const round = createRound(options, signal);
  let stamp: string | undefined;
  let pending: readonly ManifestObject[] = [];
  let pauseMs = FIRST_PAUSE_MS;
  let dueAt = 0;
  while (!signal.aborted) {
    const found = await readManifestFolder(folder);
    if (found.stamp !== stamp) {
      // Unchanged for an interval: nobody is writing.
      if (stamp !== undefined && !(await isSettled(folder, found.stamp, options, signal))) continue;
      stamp = found.stamp;
      pending = await round.load(found.files, found.problem);
      pauseMs = FIRST_PAUSE_MS;
      dueAt = 0;
    }
    if (pending.length > 0 && clock.now() >= dueAt) {
      pending = await round.apply(pending);
      dueAt = clock.now() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
    await clock.sleep(intervalMs, signal);
  }
}

async function isSettled(folder: string, stamp: string, options: ManifestApplierOptions, signal: AbortSignal): Promise<boolean> {
  await options.clock.sleep(options.intervalMs ?? DEFAULT_INTERVAL_MS, signal);
  return (await readManifestFolder(folder)).stamp === stamp;
}

/** What is done with a state of the folder, and what is known of its problems. */
function createRound({ apply, yaml, log, onApply, onProblems, folder }: ManifestApplierOptions, signal: AbortSignal) {
  let broken = 0;
  /** Reasons by object, so that each is told once. */
  let told = new Map<ManifestObject, string>();

  const report = ({ file, line, object, reason }: ManifestProblem) =>
    log.error('manifest not applied', {
      file,
      ...(line === undefined ? {} : { line }),
      ...(object === undefined ? {} : { object }),
      reason,
    });

  const applyOne = async (object: ManifestObject): Promise<boolean> => {
    const { file, line } = object;
    try {
      const { created } = await apply(object);
      onApply(true);
      if (created || told.has(object)) log.info('manifest applied', { file, line, object: displayName(object) });
      else log.debug('manifest applied', { file, line, object: displayName(object) });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const reason = errorMessage(error);
      onApply(false);
      if (told.get(object) !== reason) report({ file, line, object: displayName(object), reason });
      told.set(object, reason);
      return false;
    }
  };

  return {
    load: async (files: readonly string[], problem: string | undefined): Promise<readonly ManifestObject[]> => {
      const parsed = await Promise.all(files.map((file) => parseFile(file, yaml)));
      const problems = [...(problem === undefined ? [] : [{ file: folder, reason: problem }]), ...parsed.flatMap((each) => each.problems)];
      problems.forEach(report);
      broken = problems.length;
      told = new Map();
      onProblems(broken);
      const objects = parsed.flatMap((each) => each.objects);
      log.info('manifests read', { folder, files: files.length, objects: objects.length });
      return [...objects.filter(isNamespace), ...objects.filter((object) => !isNamespace(object))];
    },
    /** One after the other, in their order. Returns those that failed. */
    apply: async (objects: readonly ManifestObject[]): Promise<readonly ManifestObject[]> => {
      const failed: ManifestObject[] = [];
      for (const object of objects) {
        if (signal.aborted) break;
        if (!(await applyOne(object))) failed.push(object);
      }
      onProblems(broken + failed.length);
      return failed;
    },
  };
}

const isNamespace = ({ apiVersion, kind }: ManifestObject): boolean => apiVersion === 'v1' && kind === 'Namespace';

async function parseFile(file: string, yaml: Pick<YamlReader, 'toJson'>): Promise<ParsedManifests> {
  const read = await readFileText(file);
  return 'failure' in read ? { objects: [], problems: [{ file, reason: read.failure }] } : parseManifests(read.text, file, yaml);
}
