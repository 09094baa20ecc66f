import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_GROUP_SUFFIX } from '../../group-suffix.ts';
import { createSuggested, MANDATORY } from './bootstrap.ts';

interface PublishedObject {
  readonly metadata: { readonly name: string };
  readonly spec: object;
}
type Published = Readonly<Record<'flowschemas' | 'prioritylevelconfigurations', readonly PublishedObject[]>>;

const specsOf = (objects: readonly PublishedObject[]) => Object.fromEntries(objects.map(({ metadata, spec }) => [metadata.name, spec]));

describe('The bootstrap configuration', () => {
  it('is that of a fresh kube-apiserver', () => {
    const text = readFileSync(new URL('./testdata/kubernetes-bootstrap.json', import.meta.url), 'utf8');
    const published = JSON.parse(text) as Published;
    const suggested = createSuggested(DEFAULT_GROUP_SUFFIX);
    expect({ ...MANDATORY.flowSchemas, ...suggested.flowSchemas }).toEqual(specsOf(published.flowschemas));
    expect({ ...MANDATORY.priorityLevels, ...suggested.priorityLevels }).toEqual(specsOf(published.prioritylevelconfigurations));
  });

  it('names the groups that are served', () => {
    const [rule] = createSuggested('example.io').flowSchemas['system-leader-election']?.rules ?? [];
    expect(rule?.resourceRules?.map(({ apiGroups }) => apiGroups)).toEqual([['coordination.example.io']]);
  });
});
