/** Properties of etcd's versions. NaN for what is not 3.x. */
function parseVersion(text: string): readonly [minor: number, patch: number] {
  const [, minor, patch] = /^3\.(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(minor), Number(patch)];
}

/** In other versions the response to a progress request may overtake the events before it. False when unknown. */
export function hasReliableProgress(text: string): boolean {
  const [minor, patch] = parseVersion(text);
  if (minor === 4) return patch >= 31;
  return minor > 5 || (minor === 5 && patch >= 13);
}

/** A clause for the log when etcd no longer maintains this version. */
export function endOfLife(text: string): string | undefined {
  return parseVersion(text)[0] <= 4 ? `etcd ${text} is past its end of life (3.4 ended on 2026-06-01)` : undefined;
}
