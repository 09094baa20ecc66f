import { describe, expect, it } from '@jest/globals';
import { keyText } from '../storage/keys.ts';
import { listPrefix, objectKey, parseObjectKey, resourcePrefix } from './keys.ts';

const cronJobs = { group: 'batch', resource: 'cronjobs', namespaced: true };
const configMaps = { group: '', resource: 'configmaps', namespaced: true };
const attachments = { group: 'storage.example.io', resource: 'volumeattachments', namespaced: false };

describe('keys', () => {
  it('are group, resource, namespace and name', () => {
    expect(objectKey(cronJobs, { namespace: 'reports', name: 'nightly' })).toBe('/batch/cronjobs/reports/nightly');
    expect(objectKey(configMaps, { namespace: 'shop', name: 'settings' })).toBe('/core/configmaps/shop/settings');
    expect(objectKey(attachments, { namespace: '', name: 'csi-1' })).toBe('/storage.example.io/volumeattachments/csi-1');
  });

  it.each(['nightly', 'größe', 'a.b-c', '東京'])('give the name back: %s', (name) => {
    expect(parseObjectKey(cronJobs, objectKey(cronJobs, { namespace: 'reports', name }))).toEqual({ namespace: 'reports', name });
    expect(parseObjectKey(configMaps, objectKey(configMaps, { namespace: 'reports', name }))).toEqual({ namespace: 'reports', name });
    expect(parseObjectKey(attachments, objectKey(attachments, { namespace: '', name }))).toEqual({ namespace: '', name });
  });

  it('of a list are those of its namespace, or all of the resource', () => {
    expect(keyText(listPrefix(cronJobs, 'reports'))).toBe('/batch/cronjobs/reports/');
    expect(listPrefix(cronJobs, undefined)).toBe(resourcePrefix(cronJobs));
    expect(listPrefix(attachments, 'reports')).toBe(resourcePrefix(attachments));
  });

  it.each(['', 'a/b', '/'])('refuse a segment that would reach elsewhere: %j', (segment) => {
    const badRequest = expect.objectContaining({ reason: 'BadRequest' });
    expect(() => objectKey(cronJobs, { namespace: 'reports', name: segment })).toThrow(badRequest);
    expect(() => objectKey(cronJobs, { namespace: segment, name: 'a' })).toThrow(badRequest);
  });
});
