/** Discovery: the served groups, versions and resources. Its documents are encoded once, at start. */
import { jsonResponse, jsonValueResponse } from '../handlers/json-response.ts';
import type { PathHandler, ServedPath } from '../handlers/path-router.ts';
import { negotiateOutput } from '../negotiation/negotiate.ts';
import { wantsPretty } from '../negotiation/pretty.ts';
import { negotiateAggregated, createAggregatedDocument } from './aggregated.ts';
import { type DiscoverableResource, type ServedVersion, toServedVersions } from './api-resources.ts';

export function createDiscovery(resources: readonly DiscoverableResource[]): readonly ServedPath[] {
  const { core = [], named = [] } = Object.groupBy(toServedVersions(resources), ({ group }) => (group === '' ? 'core' : 'named'));
  const groups = [...Map.groupBy(named, ({ group }) => group)].map(([name, groupVersions]) => toApiGroup(name, groupVersions));
  const legacy: PathHandler = (context) => {
    negotiateOutput(context, 'other');
    return jsonValueResponse(200, {
      kind: 'APIVersions',
      apiVersion: 'v1',
      versions: core.map(({ version }) => version),
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: context.request.headers['host'] ?? '' }],
    });
  };
  return [
    { path: '/api', get: preferringAggregated(core, legacy) },
    { path: '/apis', get: preferringAggregated(named, fixed({ kind: 'APIGroupList', apiVersion: 'v1', groups })) },
    ...groups.map((group) => ({ path: `/apis/${group.name}`, get: fixed({ kind: 'APIGroup', apiVersion: 'v1', ...group }) })),
    ...core.map((version) => ({ path: `/api/${version.groupVersion}`, get: fixed(toApiResourceList(version)) })),
    ...named.map((version) => ({ path: `/apis/${version.groupVersion}`, get: fixed(toApiResourceList(version)) })),
  ];
}

/** The same document for every request. */
function fixed(value: unknown): PathHandler {
  const bytes = Buffer.from(JSON.stringify(value));
  return (context) => {
    negotiateOutput(context, 'other');
    return jsonResponse(200, [bytes]);
  };
}

function preferringAggregated(versions: readonly ServedVersion[], plain: PathHandler): PathHandler {
  const aggregated = createAggregatedDocument(versions);
  return (context, info) => {
    const { headers, query } = context.request;
    const representation = negotiateAggregated(headers['accept']);
    if (representation === undefined) return plain(context, info);
    const { mediaType, version } = representation;
    context.output = { mediaType, pretty: mediaType === 'application/json' && wantsPretty(query, headers['user-agent']) };
    return aggregated(context.request, version);
  };
}

function toApiGroup(name: string, groupVersions: readonly ServedVersion[]) {
  const versions = groupVersions.map(({ groupVersion, version }) => ({ groupVersion, version }));
  return { name, versions, preferredVersion: versions[0] };
}

const toApiResourceList = ({ groupVersion, resources }: ServedVersion) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources,
});
