/** `definition.gen.ts` of every kind, view and review, and the indexes `kinds.gen.ts` and `reviews.gen.ts`. */
import { apiVersionOf } from './facts.ts';
import type { Facts, FactsFile, ResourceFacts, ReviewFacts } from './facts.ts';
import { HEADER, relativeImport } from './generated-file.ts';
import type { GeneratedFile } from './generated-file.ts';

const literal = (value: unknown): string => JSON.stringify(value).replaceAll('"', "'").replaceAll("','", "', '");

/** The placeholder becomes an expression, so generated code never contains the suffix. */
const groupExpression = (group: string): string =>
  group.includes('{group_suffix}') ? `\`${group.replace('{group_suffix}', '${groupSuffix}')}\`` : `'${group}'`;

const subresources = ({ servedSubresources }: ResourceFacts): string =>
  `[${servedSubresources.map(({ name, verbs }) => `{ name: '${name}', verbs: ${literal(verbs)} }`).join(', ')}]`;

function definitionFile(folder: string, resource: ResourceFacts): GeneratedFile {
  const parameter = resource.group.includes('{group_suffix}') ? 'groupSuffix' : '_groupSuffix';
  const group = groupExpression(resource.group);
  const apiVersion = groupExpression(apiVersionOf(resource));
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
  subresources: ${subresources(resource)},
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

function reviewDefinitionFile(folder: string, review: ReviewFacts): GeneratedFile {
  return {
    path: `pkg/apis/${folder}/definition.gen.ts`,
    text: `${HEADER}import type { ReviewDefinition } from '${relativeImport(folder, 'review.ts')}';

export const createDefinition = (groupSuffix: string): ReviewDefinition => ({
  group: ${groupExpression(review.group)},
  version: '${review.version}',
  apiVersion: ${groupExpression(`${review.group}/${review.version}`)},
  kind: '${review.kind}',
  resource: '${review.plural}',
  singular: '${review.singular}',${review.namespaced ? '\n  namespaced: true,' : ''}${parentOf(review)}
});
`,
  };
}

const parentOf = ({ parent }: ReviewFacts): string =>
  parent === undefined
    ? ''
    : `
  parent: { group: ${groupExpression(parent.group)}, version: '${parent.version}', resource: '${parent.plural}', subresource: '${parent.subresource}' },`;

function reviewIndexFile(reviews: readonly (FactsFile & { readonly review: ReviewFacts })[]): GeneratedFile {
  const imports = reviews.map(({ folder, review }) => `import { createReview as create${review.kind} } from './${folder}/review.ts';\n`);
  return {
    path: 'pkg/apis/reviews.gen.ts',
    text: `${HEADER}${imports.join('')}import type { Review } from './review.ts';

/** Every review that is answered. \`groupSuffix\` completes the names of their groups. */
export const createReviews = ({ groupSuffix }: { readonly groupSuffix: string }): readonly Review[] => [
${reviews.map(({ review }) => `  create${review.kind}(groupSuffix),\n`).join('')}];
`,
  };
}

export function generateDefinitions(facts: Facts): GeneratedFile[] {
  const kinds = facts.files.flatMap((file) => (file.resource === undefined ? [] : [{ ...file, resource: file.resource }]));
  const reviews = facts.files.flatMap((file) => (file.review === undefined ? [] : [{ ...file, review: file.review }]));
  return [
    ...kinds.map(({ folder, resource }) => definitionFile(folder, resource)),
    ...facts.files.flatMap(({ folder, view }) => (view === undefined ? [] : [definitionFile(folder, view)])),
    indexFile(kinds),
    ...reviews.map(({ folder, review }) => reviewDefinitionFile(folder, review)),
    reviewIndexFile(reviews),
  ];
}
