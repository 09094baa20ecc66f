import { toGitVersion } from '../../pkg/server/discovery/version.ts';
import { ownVersion } from './own-version.ts';

export const versionText = (): string => {
  const version = ownVersion();
  return `coxswain ${version} (API ${toGitVersion(version)}, Node.js ${process.versions.node})\n`;
};
