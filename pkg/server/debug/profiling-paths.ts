/** `/debug/pprof/` (`--profiling`): profiles of the server, for users with permission for these paths. */
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ServedPath } from '../handlers/path-router.ts';
import { textResponse } from '../responses/status-response.ts';
import type { ApiResponse, Headers } from '../transports/request.ts';
import { type ProfileOptions, takeAllocationProfile, takeCpuProfile, writeHeapSnapshot } from './profiles.ts';

const INDEX = `/debug/pprof/

profile?seconds=30  where processor time goes, as a .cpuprofile of V8
heap?seconds=30     what allocates memory, as a .heapprofile of V8
heapsnapshot        everything in memory, Secrets and keys too, as a .heapsnapshot of V8; stops the server for seconds
`;
/** As in Go's server. */
const DEFAULT_SECONDS = 30;

export interface ProfilingOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Why there are no heap snapshots, in one clause. Absent: there are. */
  readonly noHeapSnapshot?: string | undefined;
}

/** Takes one profile at a time. */
export function createProfilingPaths({ clock, noHeapSnapshot }: ProfilingOptions): readonly ServedPath[] {
  let isTaking = false;
  const begin = () => {
    if (isTaking) return false;
    isTaking = true;
    return true;
  };
  const end = () => {
    isTaking = false;
  };
  const timed = (name: string, extension: string, take: (options: ProfileOptions) => Promise<string>) =>
    served(name, async (context) => {
      if (!begin()) return busy();
      try {
        const profile = await take({ clock, ms: secondsOf(context) * 1000, signal: context.signal });
        return { code: 200, headers: headersOf(extension), body: [Buffer.from(profile)] };
      } finally {
        end();
      }
    });
  return [
    { path: '/debug/pprof', isUnlisted: true, get: () => textResponse(200, INDEX) },
    timed('profile', 'cpuprofile', takeCpuProfile),
    timed('heap', 'heapprofile', takeAllocationProfile),
    served('heapsnapshot', () => {
      if (noHeapSnapshot !== undefined) return textResponse(501, `there are no heap snapshots: ${noHeapSnapshot}\n`);
      if (!begin()) return busy();
      return { code: 200, headers: headersOf('heapsnapshot'), stream: (writer) => writeHeapSnapshot(writer).finally(end) };
    }),
  ];
}

const served = (name: string, get: (context: AuthenticatedContext) => ApiResponse | Promise<ApiResponse>): ServedPath => ({
  path: `/debug/pprof/${name}`,
  isUnlisted: true,
  get,
});

function secondsOf({ query }: AuthenticatedContext): number {
  const seconds = Number(query.first('seconds') ?? '');
  return seconds > 0 && Number.isFinite(seconds) ? seconds : DEFAULT_SECONDS;
}

const headersOf = (extension: string): Headers => ({
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': `attachment; filename="coxswain.${extension}"`,
  'X-Content-Type-Options': 'nosniff',
});

const busy = () => textResponse(503, 'another profile is being taken\n');
