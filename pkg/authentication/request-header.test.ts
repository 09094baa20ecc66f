import { describe, expect, it } from '@jest/globals';
import type { ClientCertificate, Credentials } from './authenticator.ts';
import { createRequestHeaderAuthenticator } from './request-header.ts';
import { refusalOf } from './unauthorized.ts';

const proxy: ClientCertificate = { commonName: 'front', organizations: [], fingerprint256: '', validUntil: 0, isProxy: true };
const names = {
  usernameHeaders: ['x-remote-user', 'x-user'],
  uidHeaders: ['x-remote-uid'],
  groupHeaders: ['x-remote-group', 'x-group'],
  extraHeaderPrefixes: ['x-remote-extra-'],
};

const ask = (given: Partial<Credentials>, allowedNames: readonly string[] = []) =>
  createRequestHeaderAuthenticator({ allowedNames, ...names }).authenticate({
    headers: {},
    secure: true,
    remoteAddress: '',
    clientCertificate: proxy,
    ...given,
  });

describe('Headers of a proxy', () => {
  it('name the user', () => {
    const headers = {
      'x-remote-user': Buffer.from('jörg').toString('latin1'),
      'x-remote-uid': '42',
      'x-remote-group': 'CN=a, OU=b, c',
      'x-group': 'd',
      'x-remote-extra-example.com%2fscopes': 'x',
    };
    const repeatedHeaders = new Map([['x-remote-group', ['CN=a, OU=b', 'c', '']]]);
    expect(ask({ headers, repeatedHeaders })).toEqual({
      name: 'jörg',
      uid: '42',
      groups: ['CN=a, OU=b', 'c', 'd'],
      extra: { 'example.com/scopes': ['x'] },
    });
    expect(ask({ headers: { 'x-remote-user': '', 'x-user': 'jane' } })).toEqual({ name: 'jane', groups: [] });
  });

  it('are no credentials without a user', () => {
    expect(ask({ headers: { 'x-remote-group': 'system:masters' } })).toBeUndefined();
  });

  it('mean nothing without a certificate of a proxy', () => {
    const headers = { 'x-remote-user': 'jane' };
    expect(ask({ headers, clientCertificate: undefined })).toBeUndefined();
    expect(
      ask({ headers, clientCertificate: { commonName: 'front', organizations: [], fingerprint256: '', validUntil: 0 } }),
    ).toBeUndefined();
  });

  it('mean nothing when the certificate has another name than those that are allowed', () => {
    const headers = { 'x-remote-user': 'jane' };
    expect(ask({ headers }, ['front'])).toMatchObject({ name: 'jane' });
    const refused = () => {
      try {
        return ask({ headers }, ['other']);
      } catch (error) {
        return refusalOf(error).message;
      }
    };
    expect(refused()).toBe('x509: subject with cn=front is not in the allowed list');
  });
});
