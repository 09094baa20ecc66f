/**
 * Runs dependency-cruiser over cmd, pkg and test, and fails on a forbidden import. Also fails when it saw
 * suspiciously few modules: a cruise of nothing reports success.
 */
import { execFileSync } from 'node:child_process';

const leastModules = 60;

interface CruiseResult {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { readonly from: string; readonly to: string; readonly rule: { readonly name: string } }[];
  };
}

function cruise(): CruiseResult {
  const command = ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--output-type', 'json', 'cmd', 'pkg', 'test'];
  try {
    return JSON.parse(execFileSync(process.execPath, command, { maxBuffer: 1 << 28, encoding: 'utf8' })) as CruiseResult;
  } catch (error) {
    // Violations make it exit non-zero; the report is on standard output all the same.
    const { stdout } = error as { stdout?: string };
    if (stdout === undefined || stdout === '') throw error;
    return JSON.parse(stdout) as CruiseResult;
  }
}

const { summary } = cruise();
for (const violation of summary.violations) console.error(`${violation.rule.name}: ${violation.from} → ${violation.to}`);
if (summary.violations.length > 0) process.exit(1);
if (summary.totalCruised < leastModules) {
  console.error(`dependency-cruiser saw only ${summary.totalCruised} modules, expected at least ${leastModules}`);
  process.exit(1);
}
