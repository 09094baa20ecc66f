/** What is known of etcd's versions. */

interface Version {
  readonly minor: number;
  readonly patch: number;
}

function parseVersion(text: string): Version | undefined {
  const [, minor, patch] = /^3\.(\d+)\.(\d+)/.exec(text) ?? [];
  return minor === undefined || patch === undefined ? undefined : { minor: Number(minor), patch: Number(patch) };
}

/**
 * Progress requests: before these an answer may overtake the events it vouches for. Unknown versions are not trusted.
 */
export function answersProgressRightly(text: string): boolean {
  const version = parseVersion(text);
  if (version === undefined || version.minor < 4) return false;
  if (version.minor === 4) return version.patch >= 31;
  return version.minor > 5 || version.patch >= 13;
}

/** One clause when the project no longer mends this version. */
export function endOfLife(text: string): string | undefined {
  const version = parseVersion(text);
  return version !== undefined && version.minor <= 4 ? `etcd ${text} is past its end of life (3.4 ended on 2026-06-01)` : undefined;
}
