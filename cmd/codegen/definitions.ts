/** `definition.gen.ts` of every kind (names and scope) and `kinds.gen.ts`, the index of them all. */
import type { Facts, FactsFile, ResourceFacts } from './facts.ts';
import { HEADER, relativeImport } from './generated-file.ts';
import type { GeneratedFile } from './generated-file.ts';

const literal = (value: unknown): string => JSON.stringify(value).replaceAll('"', "'").replaceAll("','", "', '");

/** The placeholder becomes an expression; the suffix itself is never spelled. */
const groupExpression = (group: string): string =>
  group.includes('{group_suffix}') ? `\`${group.replace('{group_suffix}', '${groupSuffix}')}\`` : `'${group}'`;

function definitionFile(folder: string, resource: ResourceFacts): GeneratedFile {
  const parameter = resource.group.includes('{group_suffix}') ? 'groupSuffix' : '_groupSuffix';
  const group = groupExpression(resource.group);
  const apiVersion = groupExpression(`${resource.group}/${resource.version}`);
  return {
    path: `pkg/apis/${folder}/definition.gen.ts`,
    text: `${HEADER}import type { ResourceDefinition } from '${relativeImport(folder, 'kind.ts')}';

export const createDefinition = (${parameter}: string): ResourceDefinition => ({
  group: ${group},
  version: '${resource.version}',
  apiVersion: ${apiVersion},
  kind: '${resource.kind}',
  listKind: '${resource.listKind}',
  resource: '${resource.plural}',
  singular: '${resource.singular}',
  shortNames: ${literal(resource.shortNames)},
  categories: ${literal(resource.categories)},
  namespaced: ${resource.namespaced},
  verbs: ${literal(resource.verbs)},
  subresources: ${literal(resource.upstreamSubresources)},
});
`,
  };
}

function indexFile(kinds: readonly (FactsFile & { readonly resource: ResourceFacts })[]): GeneratedFile {
  const imports = kinds.map(({ folder, resource }) => `import { createKind as create${resource.kind} } from './${folder}/kind.ts';\n`);
  return {
    path: 'pkg/apis/kinds.gen.ts',
    text: `${HEADER}${imports.join('')}import type { Kind } from './kind.ts';

/** Every kind that is served. \`groupSuffix\` completes the names of the groups that have a suffix. */
export const createKinds = ({ groupSuffix }: { readonly groupSuffix: string }): readonly Kind[] => [
${kinds.map(({ resource }) => `  create${resource.kind}(groupSuffix),\n`).join('')}];
`,
  };
}

export function generateDefinitions(facts: Facts): GeneratedFile[] {
  const kinds = facts.files.flatMap((file) => (file.resource === undefined ? [] : [{ ...file, resource: file.resource }]));
  return [...kinds.map(({ folder, resource }) => definitionFile(folder, resource)), indexFile(kinds)];
}
