import type { Metrics } from '../../pkg/observability/metrics.ts';
import type { Backend } from '../../pkg/storage/backend.ts';

/** Counts and times the calls of a backend that does not do so itself. */
export function measureBackend(backend: Backend, metrics: Metrics): Backend {
  const timed = (operation: string) => {
    const duration = metrics.storeRequestDurationSeconds.with(operation, '', '');
    const total = metrics.storeRequestsTotal.with(operation, '', '');
    const errors = metrics.storeRequestErrorsTotal.with(operation, '', '');
    return async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
      const begun = performance.now();
      total.inc();
      try {
        return await answer;
      } catch (error) {
        errors.inc();
        throw error;
      } finally {
        duration.observe((performance.now() - begun) / 1000);
      }
    };
  };
  const [get, list, create, update, remove] = [timed('get'), timed('list'), timed('create'), timed('update'), timed('delete')];
  const measureWrite = (value: Uint8Array | null, ifRevision: number) => (value === null ? remove : ifRevision === 0 ? create : update);
  return {
    get: (key, revision) => get(backend.get(key, revision)),
    range: (query) => list(backend.range(query)),
    commit: (write) => measureWrite(write.value, write.ifRevision)(backend.commit(write)),
    watch: (query) => backend.watch(query),
    currentRevision: () => backend.currentRevision(), // too cheap and frequent to measure
    compact: (upTo) => backend.compact(upTo),
    status: () => backend.status(),
    close: () => backend.close(),
  };
}
