import { describe, expect, it } from '@jest/globals';

import { acceptsGzip, negotiate, type NegotiateOptions } from './accept.ts';
import { bodyMediaType } from './content-type.ts';
import { wantsPretty } from './pretty.ts';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TABLE = 'as=Table;v=v1;g=meta.k8s.io';
const OLD_TABLE = 'as=Table;v=v1beta1;g=meta.k8s.io';
const METADATA = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
type Endpoint = NegotiateOptions['endpoint'];

/** `json`, `yaml Table/v1`, or the reason of the error. */
function agreed(accept: string | undefined, endpoint: Endpoint = 'object'): string {
  const { mediaType, as } = negotiate(accept, { pretty: false, endpoint });
  return `${mediaType.replace(/^.*[/.]/, '')}${as === undefined ? '' : ` ${as.kind}/${as.version}`}`;
}
const REFUSED = expect.objectContaining({ reason: 'NotAcceptable' });

describe('Accept', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*', 'json'],
    ['*/*', 'json'],
    [JSON_TYPE, 'json'],
    ['application/*', 'json'],
    ['application/json;q=0.5', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json;profile=x;whatever=1', 'json'],
    ['Application/JSON', 'json'],
    ['application/json;stream=watch', 'json'],
    [YAML_TYPE, 'yaml'],
    ['application/yaml, application/json', 'yaml'],
    ['application/json, application/yaml', 'json'],
    ['application/json;q=0.5, application/yaml', 'yaml'],
    ['application/json;q=x, application/yaml;q=0.1', 'yaml'],
    ['*/*, application/yaml', 'yaml'],
    ['application/*, application/yaml;q=0.9', 'yaml'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
    // client-go with protobuf, kubectl get, kubectl get --raw, the metadata client.
    [`${PROTOBUF}, ${JSON_TYPE}`, 'protobuf'],
    [`${PROTOBUF},application/json;q=0.9,*/*;q=0.8`, 'protobuf'],
    [`application/json;q=0.9,${PROTOBUF}`, 'protobuf'],
    [`${JSON_TYPE},${PROTOBUF}`, 'json'],
    [`${PROTOBUF};q=0.1,${JSON_TYPE}`, 'json'],
    [`application/cbor,${PROTOBUF}`, 'protobuf'],
    [`*/*,${PROTOBUF}`, 'protobuf'],
    [PROTOBUF, 'protobuf'],
    [`${PROTOBUF};stream=watch`, 'protobuf'],
    // Has no tables and ignores pretty.
    [`${PROTOBUF};${TABLE},${JSON_TYPE};${TABLE}`, 'json Table/v1'],
    [`${PROTOBUF};${TABLE},${PROTOBUF}`, 'protobuf'],
    [`${PROTOBUF};${METADATA}`, 'protobuf PartialObjectMetadata/v1'],
    ['application/json, */*', 'json'],
    [`${JSON_TYPE};${TABLE},${JSON_TYPE};${OLD_TABLE},${JSON_TYPE}`, 'json Table/v1'],
    [`${PROTOBUF};${METADATA},${JSON_TYPE};${METADATA},${JSON_TYPE}`, 'protobuf PartialObjectMetadata/v1'],
    [`${JSON_TYPE};${OLD_TABLE}`, 'json Table/v1beta1'],
    [`${YAML_TYPE};${TABLE}`, 'yaml Table/v1'],
    // An unknown representation falls through to the next clause.
    [`${JSON_TYPE};as=Chart;v=v1;g=meta.k8s.io,${YAML_TYPE}`, 'yaml'],
    [`${JSON_TYPE};as=Table;v=v2;g=meta.k8s.io,${JSON_TYPE}`, 'json'],
    [`${JSON_TYPE};as=Table,${JSON_TYPE}`, 'json'],
    // A kind that does not fit is refused later.
    [`${JSON_TYPE};${METADATA_LIST},${JSON_TYPE}`, 'json PartialObjectMetadataList/v1'],
    ['application/json;stream=other, application/yaml', 'yaml'],
    // Ignored.
    ['application/json;as=;v=;g=', 'json'],
    ['application/json;as=;stream=;sv=', 'json'],
    ['application/json;sv=v1', 'json'],
    // The lowest preference, but accepted.
    ['application/json;q=0', 'json'],
  ])('%s is answered as %s', (accept, expected) => {
    expect(agreed(accept)).toBe(expected);
  });

  it.each([
    'text/plain',
    'text/*',
    'application/x-yaml',
    'application/cbor',
    `${PROTOBUF};${TABLE}`,
    `${PROTOBUF};stream=other`,
    `${JSON_TYPE};as=Chart;v=v1;g=meta.k8s.io`,
    `${JSON_TYPE};as=Table;v=v1;g=other.k8s.io`,
    'application/json;sv=v2',
    'application/yaml;stream=watch',
    'application',
    'application/json/x',
    ',',
    ';',
    ';;;,=,/',
  ])('%s has no usable type', (accept) => {
    expect(() => agreed(accept)).toThrow(REFUSED);
  });

  it.each<[string, Endpoint, string]>([
    [`${JSON_TYPE};${METADATA_LIST}`, 'list', 'json PartialObjectMetadataList/v1'],
    [`${JSON_TYPE};${METADATA},${JSON_TYPE}`, 'list', 'json PartialObjectMetadata/v1'],
    [`${JSON_TYPE};${METADATA}`, 'watch', 'json PartialObjectMetadata/v1'],
    [`${JSON_TYPE};${TABLE}`, 'watch', 'json Table/v1'],
    [`${JSON_TYPE};${TABLE},${JSON_TYPE}`, 'other', 'json'],
    ['application/yaml, application/json', 'watch', 'json'],
    ['application/json;stream=watch', 'watch', 'json'],
    [`${PROTOBUF};stream=watch`, 'watch', 'protobuf'],
    [`${PROTOBUF};stream=watch,${JSON_TYPE};stream=watch`, 'watch', 'protobuf'],
    [`${PROTOBUF},${JSON_TYPE}`, 'watch', 'protobuf'],
    [`${PROTOBUF};${METADATA}`, 'watch', 'protobuf PartialObjectMetadata/v1'],
    [`${PROTOBUF};${TABLE},${JSON_TYPE};${TABLE}`, 'watch', 'json Table/v1'],
    [`${PROTOBUF};${METADATA_LIST}`, 'list', 'protobuf PartialObjectMetadataList/v1'],
    [`${PROTOBUF};${TABLE},${JSON_TYPE}`, 'other', 'json'],
    [PROTOBUF, 'other', 'protobuf'],
    [YAML_TYPE, 'other', 'yaml'],
  ])('%s at a %s endpoint is answered as %s', (accept, endpoint, expected) => {
    expect(agreed(accept, endpoint)).toBe(expected);
  });

  it('names what would be served', () => {
    expect(() => agreed('text/plain')).toThrow(
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
    expect(() => agreed(YAML_TYPE, 'watch')).toThrow(
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
    expect(() => agreed(`${JSON_TYPE};${TABLE}`, 'other')).toThrow(REFUSED);
    expect(() => agreed(`${JSON_TYPE};sv=v1`, 'other')).toThrow(REFUSED);
  });

  it.each<[string, Endpoint, object | undefined]>([
    ['application/cbor', 'object', {}],
    ['application/cbor', 'other', undefined],
    [`${JSON_TYPE};as=Chart;v=v1;g=meta.k8s.io`, 'list', undefined],
    [YAML_TYPE, 'watch', undefined],
  ])('%s at a %s endpoint is refused with the details %p', (accept, endpoint, details) => {
    expect(() => agreed(accept, endpoint)).toThrow(expect.objectContaining({ reason: 'NotAcceptable', details }));
  });

  it('reads no more than the beginning of an absurdly long header', () => {
    expect(() => agreed('text/plain,'.repeat(1_000_000) + JSON_TYPE)).toThrow(REFUSED);
    expect(agreed(JSON_TYPE + ',text/plain'.repeat(1_000_000))).toBe('json');
    expect(agreed(`${JSON_TYPE}${';a=b'.repeat(1_000_000)}`)).toBe('json');
  });

  it.each<[string | undefined, Endpoint, boolean, boolean]>([
    [undefined, 'object', true, true],
    [`${PROTOBUF},${JSON_TYPE}`, 'list', true, false],
    [`application/cbor,${JSON_TYPE}`, 'list', true, true],
    [JSON_TYPE, 'list', false, false],
    ['application/json;pretty=1', 'object', false, true],
    ['application/json;pretty=0', 'object', false, false],
    [undefined, 'watch', true, false],
    ['application/json;pretty=1', 'watch', true, false],
    [`${JSON_TYPE};${TABLE}`, 'watch', true, false],
    [YAML_TYPE, 'object', true, false],
  ])('%s at a %s endpoint, pretty asked for: %s, is indented: %s', (accept, endpoint, pretty, expected) => {
    expect(negotiate(accept, { pretty, endpoint }).pretty).toBe(expected);
  });
});

describe('pretty', () => {
  it.each([
    ['', undefined, false],
    ['', 'kubectl/v1.36.0', false],
    ['', 'curl/8.5.0', true],
    ['', 'Wget/1.21', true],
    ['', 'Mozilla/5.0 (X11; Linux x86_64)', true],
    ['', 'Mozilla/4.0', false],
    ['', 'libcurl/8', false],
    ['limit=1', 'curl/8', true],
    ['pretty=true', undefined, true],
    ['limit=1&pretty=1', undefined, true],
    ['pretty=T', undefined, true],
    ['pretty=yes', 'curl/8', false],
    ['pretty=false', 'curl/8', false],
    ['pretty=0', 'curl/8', false],
    ['pretty=', 'curl/8', true],
    ['pretty', 'kubectl', false],
    ['labelSelector=pretty', 'kubectl', false],
    ['%70retty=1', undefined, false],
  ])('is, for ?%s from %s: %s', (query, userAgent, expected) => {
    expect(wantsPretty(query, userAgent)).toBe(expected);
  });
});

describe('Accept-Encoding', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['identity', false],
    ['gzip', true],
    ['deflate, gzip;q=0.5', true],
    ['gzip;q=0', false],
  ])('%s: gzip %s', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});

describe('Content-Type', () => {
  it.each([
    undefined,
    '',
    'application/json',
    'application/json; charset=UTF-8',
    'APPLICATION/JSON',
    ' application/json ;',
    // Some HTTP libraries declare this for all text but send UTF-8.
    'application/json; charset=ISO-8859-1',
    'application/json ; a = "x;\\"y" ; b=2; A="x;\\"y";',
  ])('takes %s as JSON', (type) => {
    expect(bodyMediaType(type)).toBe('application/json');
  });
  it.each(['application/yaml', 'application/yaml; charset=utf-8', 'application/YAML'])('takes %s as YAML', (type) => {
    expect(bodyMediaType(type)).toBe('application/yaml');
  });
  it.each([
    'text/plain',
    'text/yaml',
    'application/x-yaml',
    'application/merge-patch+json',
    'application/cbor',
    'json',
    '*/*',
    ';',
    'application/json,application/yaml',
    'application/json/x',
    'application/json a',
    'application/json;foo',
    'application/json;=',
    'application/json;a=',
    'application/json;;',
    'application/json;a="x',
    'application/json;a=1;A=2',
    `application/json${' '.repeat(100_000)}x`,
  ])('refuses %s', (type) => {
    expect(() => bodyMediaType(type)).toThrow(
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  });
  it('takes protobuf', () => {
    expect(bodyMediaType(PROTOBUF)).toBe(PROTOBUF);
  });
});
