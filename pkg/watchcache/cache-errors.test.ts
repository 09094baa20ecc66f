import { describe, expect, it } from '@jest/globals';
import { toKey } from '../storage/keys.ts';
import { unreadableList } from './cache-errors.ts';

describe('the refusal of a list with objects that cannot be read', () => {
  it('names every key, and says when there are more than it lists', () => {
    const keys = Array.from({ length: 101 }, (_, index) => toKey(`/core/secrets/n/s-${index}`));
    const { message, details } = unreadableList({ resource: 'secrets', group: '' }, keys);
    expect(message).toBe('failed to read one or more secrets from the storage');
    expect(details).toMatchObject({ name: 'list', kind: 'secrets' });
    expect(details?.causes).toHaveLength(101);
    expect(details?.causes?.[7]).toMatchObject({ reason: 'UnexpectedServerResponse', field: '/core/secrets/n/s-7' });
    expect(details?.causes?.[100]).toEqual({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' });
    expect(unreadableList({ resource: 'cronjobs', group: 'batch' }, keys.slice(0, 1)).details?.causes).toHaveLength(1);
  });
});
