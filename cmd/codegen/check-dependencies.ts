/** Fails on a forbidden import, a source file that was not checked, and a rule for a folder that does not exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

const FOLDERS = ['cmd', 'pkg', 'test'];
/** Dependencies and build output of the test clients in other languages. */
const NOT_OURS = /^test\/clients\/[^/]+\/(\.venv|bin|target|node_modules)\//;

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly to: string; readonly rule: { readonly name: string } }[];
    readonly optionsUsed: unknown;
    readonly ruleSetUsed?: { readonly forbidden?: readonly { readonly name: string }[] };
  };
}

function cruise(): CruiseResult {
  const command = ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--output-type', 'json', ...FOLDERS];
  try {
    return JSON.parse(execFileSync(process.execPath, command, { maxBuffer: 1 << 28, encoding: 'utf8' })) as CruiseResult;
  } catch (error) {
    // With violations it exits non-zero, but still writes the report to standard output.
    const { stdout } = error as { stdout?: string };
    if (stdout === undefined || stdout === '') throw error;
    return JSON.parse(stdout) as CruiseResult;
  }
}

const { modules, summary } = cruise();
const problems = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);

const seen = new Set(modules.map(({ source }) => source));
const sources = globSync(FOLDERS.map((folder) => `${folder}/**/*.ts`)).filter((file) => !NOT_OURS.test(file));
for (const file of sources) if (!seen.has(file)) problems.push(`dependency-cruiser did not see ${file}`);

for (const { name } of summary.ruleSetUsed?.forbidden ?? []) {
  const [, folder] = /^(.+)-may-import$/.exec(name) ?? [];
  if (folder !== undefined && !existsSync(`pkg/${folder}`))
    problems.push(`.dependency-cruiser.cjs has a rule for pkg/${folder}, which does not exist`);
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
