import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';

const KIND = 'ServiceAccount';
const ANNOTATION = 'kubernetes.io/enforce-mountable-secrets';
const WARNING = `metadata.annotations[${ANNOTATION}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
const enforcing = { metadata: { annotations: { [ANNOTATION]: 'false' } } };

describe('A ServiceAccount', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  it('keeps only the names of its secrets, on create and on update', async () => {
    const secrets = [{ name: 'a', namespace: 'other', kind: 'Secret', uid: 'u' }, { kind: 'Secret' }, { name: 'b' }];
    const kept = [{ name: 'a' }, {}, { name: 'b' }];
    expect((await rules.create(KIND, { secrets })).object?.['secrets']).toEqual(kept);
    expect((await rules.update(KIND, {}, { secrets })).object?.['secrets']).toEqual(kept);
  });

  it('may have any secrets for images, and say that no token is mounted', async () => {
    const body = { imagePullSecrets: [{ name: 'a' }, { name: 'a' }], automountServiceAccountToken: false };
    const { causes, object } = await rules.create(KIND, body);
    expect(causes).toEqual([]);
    expect(object).toMatchObject(body);
  });

  it('warns of an annotation that is deprecated, when it is new', async () => {
    expect((await rules.create(KIND, enforcing)).warnings).toEqual([WARNING]);
    expect((await rules.update(KIND, {}, enforcing)).warnings).toEqual([WARNING]);
    expect((await rules.update(KIND, enforcing, enforcing)).warnings).toEqual([]);
    expect((await rules.create(KIND, {})).warnings).toEqual([]);
  });
});
