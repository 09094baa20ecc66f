import { describe, expect, it } from '@jest/globals';
import { acceptsGzip, negotiate } from './accept.ts';
import { requireJsonBody } from './content-type.ts';

describe('Accept', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/*',
    'application/json;q=0.5',
    'application/json; charset=utf-8',
    'application/vnd.kubernetes.protobuf, application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'Application/JSON',
  ])('%s is answered as JSON', (accept) => {
    expect(negotiate(accept)).toEqual({ mediaType: 'application/json', pretty: false });
  });

  it.each([
    'text/plain',
    'application/vnd.kubernetes.protobuf',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;q=0',
    ',',
  ])('%s has no usable type', (accept) => {
    expect(() => negotiate(accept)).toThrow(expect.objectContaining({ reason: 'NotAcceptable' }));
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
  it.each([undefined, '', 'application/json', 'application/json; charset=UTF-8', 'APPLICATION/JSON'])('takes %s as JSON', (type) => {
    expect(() => requireJsonBody(type)).not.toThrow();
  });
  it.each(['text/plain', 'application/yaml', 'application/json; charset=latin1', 'application/merge-patch+json'])('refuses %s', (type) => {
    expect(() => requireJsonBody(type)).toThrow(expect.objectContaining({ reason: 'UnsupportedMediaType' }));
  });
});
