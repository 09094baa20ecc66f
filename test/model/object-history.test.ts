import { describe, expect, it } from '@jest/globals';
import type { ApiObject } from '../support/api-object.ts';
import { ObjectHistory } from './object-history.ts';

const object = (name: string, revision: number, labels: Readonly<Record<string, string>> = {}): ApiObject => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { namespace: 'a', name, uid: name, resourceVersion: String(revision), creationTimestamp: '', labels },
});
const isIn = ({ metadata }: ApiObject) => metadata.labels?.['in'] === 'yes';
const all = () => true;

describe('ObjectHistory', () => {
  const history = new ObjectHistory(10);
  history.append({ type: 'ADDED', object: object('x', 12) });
  history.append({ type: 'ADDED', object: object('a', 13, { in: 'yes' }) });
  history.append({ type: 'MODIFIED', object: object('x', 15, { in: 'yes' }) });
  history.append({ type: 'MODIFIED', object: object('a', 16) });
  history.append({ type: 'DELETED', object: object('x', 18, { in: 'yes' }) });

  it('knows each state that was, in the order of keys', () => {
    const names = (revision: number) => history.stateAt(revision, all).map(({ metadata }) => `${metadata.name}${metadata.resourceVersion}`);
    expect([10, 12, 14, 15, 17, 20].map(names)).toEqual([[], ['x12'], ['a13', 'x12'], ['a13', 'x15'], ['a16', 'x15'], ['a16']]);
  });

  it('turns changes that enter or leave a selection into ADDED and DELETED', () => {
    const brief = history
      .eventsAfter(10, isIn)
      .map(({ type, object: { metadata } }) => `${type} ${metadata.name}${metadata.resourceVersion} ${metadata.labels?.['in'] ?? ''}`);
    expect(brief).toEqual(['ADDED a13 yes', 'ADDED x15 yes', 'DELETED a16 yes', 'DELETED x18 yes']);
    expect(history.eventsAfter(16, all).map(({ type }) => type)).toEqual(['DELETED']);
  });

  it.each([
    ['an addition of what is there', { type: 'ADDED', object: object('a', 30) }],
    ['a change of what is not there', { type: 'MODIFIED', object: object('x', 30) }],
    ['a revision that is over', { type: 'MODIFIED', object: object('a', 18) }],
  ])('refuses %s', (_, event) => {
    expect(() => history.append(event)).toThrow(/expected|behind/);
  });
});
