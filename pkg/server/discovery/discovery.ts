/** Plain discovery: which groups, versions and resources are served. Written once, at start, from the kinds' definitions. */
import type { Kind, ResourceDefinition, Verb } from '../../apis/kind.ts';
import { jsonValueResponse } from '../handlers/json-response.ts';
import type { ServedPath } from '../handlers/path-table.ts';
import type { RequestContext } from '../shell/context.ts';
import { agreeOnOutput } from '../negotiation/agree.ts';

export interface DiscoveryOptions {
  readonly kinds: readonly Kind[];
  readonly verbsOf: (definition: ResourceDefinition) => readonly Verb[];
  readonly statusVerbs: () => readonly Verb[];
}

interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export function createDiscovery({ kinds, verbsOf, statusVerbs }: DiscoveryOptions): readonly ServedPath[] {
  const definitions = kinds.map(({ definition }) => definition);
  const groups = [...new Set(definitions.map(({ group }) => group))].map((group) => toApiGroup(group, definitions));
  const versions = [...new Set(definitions.map(({ apiVersion }) => apiVersion))];
  return [
    served('/api', ({ request }) => ({
      kind: 'APIVersions',
      apiVersion: 'v1',
      versions: [], // the group without a name has no resources here
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: request.headers['host'] ?? '' }],
    })),
    served('/apis', () => ({ kind: 'APIGroupList', apiVersion: 'v1', groups })),
    ...groups.map((group) => served(`/apis/${group.name}`, () => ({ kind: 'APIGroup', apiVersion: 'v1', ...group }))),
    ...versions.map((apiVersion) => {
      const resources = definitions.filter((definition) => definition.apiVersion === apiVersion).flatMap(toApiResources);
      return served(`/apis/${apiVersion}`, () => ({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersion, resources }));
    }),
  ];

  function toApiResources(definition: ResourceDefinition): ApiResource[] {
    const { resource, singular, namespaced, kind, shortNames, categories, subresources } = definition;
    return [
      {
        name: resource,
        singularName: singular,
        namespaced,
        kind,
        verbs: [...verbsOf(definition)].sort(),
        ...(shortNames.length === 0 ? {} : { shortNames }),
        ...(categories.length === 0 ? {} : { categories }),
      },
      ...subresources.map((name) => ({
        name: `${resource}/${name}`,
        singularName: '',
        namespaced,
        kind,
        verbs: [...statusVerbs()].sort(),
      })),
    ];
  }
}

const served = (path: string, body: (context: RequestContext) => unknown): ServedPath => ({
  path,
  get: (context) => {
    agreeOnOutput(context, 'other');
    return jsonValueResponse(200, body(context));
  },
});

function toApiGroup(group: string, definitions: readonly ResourceDefinition[]) {
  const versions = [...new Set(definitions.filter((definition) => definition.group === group).map(({ version }) => version))].map(
    (version) => ({ groupVersion: `${group}/${version}`, version }),
  );
  return { name: group, versions, preferredVersion: versions[0] };
}
