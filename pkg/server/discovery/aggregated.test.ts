import { describe, expect, it } from '@jest/globals';
import { negotiateAggregated } from './aggregated.ts';

const LIST = 'g=apidiscovery.k8s.io;as=APIGroupDiscoveryList';
const V2 = `application/json;v=v2;${LIST}`;
const V2BETA1 = `application/json;v=v2beta1;${LIST}`;
const JSON_V2 = { mediaType: 'application/json', version: 'v2' };
const JSON_V2BETA1 = { mediaType: 'application/json', version: 'v2beta1' };

describe('Aggregated discovery', () => {
  it.each([
    [`${V2},${V2BETA1},application/json`, JSON_V2],
    [`${V2BETA1},${V2}`, JSON_V2BETA1],
    [`${V2};q=0.5,${V2BETA1}`, JSON_V2BETA1],
    [`application/vnd.kubernetes.protobuf;v=v2;${LIST},${V2BETA1}`, JSON_V2BETA1],
    [`application/json;v=v3;${LIST},${V2}`, JSON_V2],
    [`${V2};profile=nopeer`, JSON_V2],
    [`*/*;v=v2;${LIST}`, JSON_V2],
    [`application/yaml;v=v2;${LIST}`, { mediaType: 'application/yaml', version: 'v2' }],
    // As in Kubernetes: aggregated discovery takes precedence.
    [`application/json,${V2};q=0.5`, JSON_V2],
  ])('is what %s asks for', (accept, representation) => {
    expect(negotiateAggregated(accept)).toEqual(representation);
  });

  it.each([
    undefined,
    'application/json',
    `application/json;v=v3;${LIST}`,
    'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupList',
    `text/html;v=v2;${LIST}`,
    // Names of properties of every JavaScript object.
    `constructor;v=v2;${LIST}`,
    `__proto__;v=v2;${LIST}`,
  ])('is not what %s asks for', (accept) => {
    expect(negotiateAggregated(accept)).toBeUndefined();
  });
});
