/** Aggregated discovery: all groups, versions and resources in one document, with an ETag (`apidiscovery.k8s.io`). */
import { hash } from 'node:crypto';
import { DEFAULT_GROUP_SUFFIX } from '../../apis/group-suffix.ts';
import { inOrderOfPreference } from '../negotiation/accept.ts';
import { namesTag } from '../negotiation/entity-tag.ts';
import type { Output } from '../negotiation/output.ts';
import type { ApiRequest, ApiResponse } from '../transports/request.ts';
import type { ApiResource, ServedVersion } from './api-resources.ts';

/** Kubernetes uses this group name whatever suffix the others have. */
const GROUP = `apidiscovery.${DEFAULT_GROUP_SUFFIX}`;
const KIND = 'APIGroupDiscoveryList';
const VERSIONS = ['v2', 'v2beta1'] as const;
export type AggregatedVersion = (typeof VERSIONS)[number];

/** The first match of a range counts. */
const MEDIA_TYPES: ReadonlyMap<string, Output['mediaType']> = new Map([
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
  ['application/yaml', 'application/yaml'],
]);

export interface AggregatedOutput {
  readonly version: AggregatedVersion;
  readonly mediaType: Output['mediaType'];
}

/** The preferred served representation; undefined when none is named. Plain discovery ranks last, as in Kubernetes. */
export function negotiateAggregated(accept: string | undefined): AggregatedOutput | undefined {
  if (accept === undefined || !accept.includes(KIND)) return undefined;
  for (const { type, parameters } of inOrderOfPreference(accept)) {
    const { as, g, v } = parameters;
    const mediaType = MEDIA_TYPES.get(type);
    if (mediaType === undefined) continue;
    const version = VERSIONS.find((candidate) => candidate === v);
    if (as === KIND && g === GROUP && version !== undefined) return { version, mediaType };
  }
  return undefined;
}

/** Responds with the document, or with 304 when the client has it. */
export type AggregatedDocument = (request: ApiRequest, version: AggregatedVersion) => ApiResponse;

/** Encodes the document once per version of its own API. */
export function createAggregatedDocument(versions: readonly ServedVersion[]): AggregatedDocument {
  const items = [...Map.groupBy(versions, ({ group }) => group)].map(([group, groupVersions]) => ({
    metadata: group === '' ? {} : { name: group },
    versions: groupVersions.map(({ version, resources }) => ({ version, resources: toResources(resources), freshness: 'Current' })),
  }));
  // As in Kubernetes, the tag is of the content, not of the representation, which Vary covers.
  const etag = `"${hash('sha512', JSON.stringify(items)).toUpperCase()}"`;
  const bodies = new Map(
    VERSIONS.map((version) => {
      const list = { kind: KIND, apiVersion: `${GROUP}/${version}`, metadata: {}, items };
      return [version, [Buffer.from(JSON.stringify(list) + '\n')]];
    }),
  );
  return ({ headers }, version) => {
    const common = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
    if (namesTag(headers['if-none-match'], etag)) return { code: 304, headers: common, body: [] };
    const contentType = `application/json;g=${GROUP};v=${version};as=${KIND}`;
    return { code: 200, headers: { ...common, 'Content-Type': contentType }, body: bodies.get(version) ?? [] };
  };
}

function toResources(resources: readonly ApiResource[]) {
  const subresourcesOf = (name: string) => resources.filter((resource) => resource.name.startsWith(`${name}/`));
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, group, version, kind, namespaced, singularName, verbs, shortNames, categories }) => ({
      resource: name,
      responseKind: toResponseKind({ group, version, kind }),
      scope: namespaced ? 'Namespaced' : 'Cluster',
      singularResource: singularName,
      verbs,
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
      ...(subresourcesOf(name).length === 0
        ? {}
        : {
            subresources: subresourcesOf(name).map((subresource) => ({
              subresource: subresource.name.slice(name.length + 1),
              responseKind: toResponseKind(subresource),
              verbs: subresource.verbs,
            })),
          }),
    }));
}

/** Empty group and version mean those of the enclosing entry. */
const toResponseKind = ({ group = '', version = '', kind }: ResponseKind) => ({ group, version, kind });

interface ResponseKind {
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly kind: string;
}
