/** Problems as SARIF 2.1.0 (OASIS), for code scanning. */
import { pathToFileURL } from 'node:url';
import { UNREADABLE } from '../../../pkg/config/load-config.ts';
import type { Problem, Severity } from '../../../pkg/config/problem.ts';
import { ownVersion } from '../own-version.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

export function toSarif(problems: readonly Problem[]): unknown {
  const rules = rulesOf(problems);
  const ids = rules.map(({ id }) => id);
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'coxswain config check', version: ownVersion(), rules } },
        // Section 3.14.17: columns of problems are UTF-16 code units.
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => resultOf(problem, ids)),
      },
    ],
  };
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly defaultConfiguration: { readonly level: Severity };
}

/** One rule per reason, with its worst severity as level. */
function rulesOf(problems: readonly Problem[]): SarifRule[] {
  const ids = [...new Set(problems.map(({ reason }) => reason))].sort();
  return ids.map((id) => {
    const isError = problems.some(({ reason, severity }) => reason === id && severity === 'error');
    return { id, shortDescription: { text: inWords(id) }, defaultConfiguration: { level: isError ? 'error' : 'warning' } };
  });
}

/** `UnknownField`: `Unknown field`; `InvalidCIDR`: `Invalid CIDR`. */
const inWords = (reason: string): string =>
  reason.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/ [A-Z](?=[a-z])/g, (start) => start.toLowerCase());

function resultOf({ file, path, line, column, severity, reason, message }: Problem, rules: readonly string[]): unknown {
  return {
    ruleId: reason,
    ruleIndex: rules.indexOf(reason),
    level: severity,
    message: { text: path === '' ? message : `${path}: ${message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          ...(reason === UNREADABLE ? {} : { region: { startLine: line, startColumn: column } }),
        },
        ...(path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: path }] }),
      },
    ],
  };
}

/** Keeps relative paths, which code scanning resolves against the checkout. */
const uriOf = (file: string): string =>
  file.startsWith('/') ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');
