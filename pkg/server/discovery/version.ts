/** `/version`, which clients compare with their own. */
import { jsonValueResponse } from '../handlers/json-response.ts';
import type { ServedPath } from '../handlers/path-router.ts';
import { PRETTY_JSON } from '../negotiation/output.ts';

/** The Kubernetes release whose API this server speaks. */
export const KUBERNETES_MAJOR = '1';
export const KUBERNETES_MINOR = '36';

export interface VersionInfo {
  /** `v1.36.0+coxswain-0.1.0`: clients read the part before the plus. */
  readonly gitVersion: string;
  readonly runtime: string;
  /** `linux/amd64`. */
  readonly platform: string;
}

export const toGitVersion = (ownVersion: string): string => `v${KUBERNETES_MAJOR}.${KUBERNETES_MINOR}.0+coxswain-${ownVersion}`;

/** Platform names of Go; Node has others for some. */
export function toPlatform({ platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'>): string {
  const system = platform === 'win32' ? 'windows' : platform;
  const processor = arch === 'x64' ? 'amd64' : arch === 'ia32' ? '386' : arch;
  return `${system}/${processor}`;
}

export const createVersion = ({ gitVersion, runtime, platform }: VersionInfo): ServedPath => {
  const body = {
    major: KUBERNETES_MAJOR,
    minor: KUBERNETES_MINOR,
    emulationMajor: KUBERNETES_MAJOR,
    emulationMinor: KUBERNETES_MINOR,
    minCompatibilityMajor: KUBERNETES_MAJOR,
    // Kubernetes keeps to the release before.
    minCompatibilityMinor: String(Number(KUBERNETES_MINOR) - 1),
    gitVersion,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    // Kubernetes reports its toolchain in these two fields.
    goVersion: runtime,
    compiler: 'node',
    platform,
  };
  return {
    path: '/version',
    get: (context) => {
      context.output = PRETTY_JSON; // regardless of the Accept header, as in Kubernetes
      return jsonValueResponse(200, body);
    },
  };
};
