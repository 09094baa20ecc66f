/** Problems as SARIF 2.1.0, for code scanning. */
import { pathToFileURL } from 'node:url';
import type { Problem } from '../../../pkg/config/problem.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

export function toSarif(problems: readonly Problem[]): unknown {
  const rules = [...new Set(problems.map(({ reason }) => reason))].sort();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'coxswain config check', rules: rules.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => resultOf(problem, rules)),
      },
    ],
  };
}

function resultOf({ file, path, line, column, severity, reason, message }: Problem, rules: readonly string[]): unknown {
  return {
    ruleId: reason,
    ruleIndex: rules.indexOf(reason),
    level: severity,
    message: { text: path === '' ? message : `${path}: ${message}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, startColumn: column } },
        ...(path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: path }] }),
      },
    ],
  };
}

/** Relative where the file was named so: code scanning looks below the checkout. */
const uriOf = (file: string): string =>
  file.startsWith('/') ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');
