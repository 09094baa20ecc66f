/** What a program reports: a line `ok <step>` on standard output for each step that it did and checked. */

export function reportedSteps(stdout: string): readonly string[] {
  return [...stdout.matchAll(/^ok (\S+)\r?$/gm)].map(([, step = '']) => step);
}

/** Undefined when just the named steps were reported, each once and in order; else what is the first difference. */
export function differenceOfSteps(named: readonly string[], reported: readonly string[]): string | undefined {
  const at = named.findIndex((step, index) => reported[index] !== step);
  if (at === -1) return reported.length > named.length ? `reported ${reported[named.length] ?? ''} after its last step` : undefined;
  const step = named[at] ?? '';
  const instead = reported[at];
  return instead === undefined ? `did not report ${step}` : `reported ${instead} where ${step} was to come`;
}
