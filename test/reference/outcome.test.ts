import { describe, expect, it } from '@jest/globals';
import { toOutcome } from './outcome.ts';
import { Placeholders } from './placeholders.ts';
import type { Tree } from './tree.ts';

const SINCE = Date.parse('2026-05-01T12:00:00Z');
const clock = { now: () => SINCE + 30_000, since: SINCE };
const UIDS = ['0b5d2c1e-6f3a-4f5e-9a51-0c4f2d7c8e11', '9b5d2c1e-6f3a-4f5e-9a51-0c4f2d7c8e99'] as const;

const hidden = (body: Tree, placeholders = new Placeholders(), generateName?: string): Tree =>
  toOutcome({ code: 200, contentType: 'application/json', warnings: [], body }, { placeholders, clock, generateName }).body;

const object = (uid: string, resourceVersion: string): Tree => ({
  kind: 'CronJob',
  metadata: {
    name: 'a',
    uid,
    resourceVersion,
    creationTimestamp: '2026-05-01T12:00:10Z',
    managedFields: [
      { manager: 'two', time: '2026-05-01T12:00:10Z' },
      { manager: 'one', time: '2026-05-01T12:00:11Z' },
    ],
  },
  status: { lastScheduleTime: '2026-01-01T00:00:00Z' },
});

describe('An answer', () => {
  it('has names for what a server makes up', () => {
    expect(hidden(object(UIDS[0], '41'))).toEqual({
      kind: 'CronJob',
      metadata: {
        name: 'a',
        uid: '{{uid:0}}',
        resourceVersion: '{{rv:0}}',
        creationTimestamp: '{{created:0}}',
        managedFields: [{ manager: 'one' }, { manager: 'two' }],
      },
      status: { lastScheduleTime: '2026-01-01T00:00:00Z' },
    });
  });

  it('has the name of a uid wherever it stands, before or behind metadata.uid', () => {
    const named = (metadata: Tree): Tree => ({ spec: { selector: { uid: UIDS[0] } }, metadata });
    expect(hidden(named({ labels: { owner: `is-${UIDS[0]}` }, uid: UIDS[0] }))).toEqual({
      spec: { selector: { uid: '{{uid:0}}' } },
      metadata: { labels: { owner: 'is-{{uid:0}}' }, uid: '{{uid:0}}' },
    });
    const row = { cells: [`uid=${UIDS[0]}`], object: { metadata: { uid: UIDS[0] } } };
    expect(hidden({ kind: 'Table', metadata: {}, rows: [row] })).toMatchObject({ rows: [{ cells: ['uid={{uid:0}}'] }] });
  });

  it('shows whether an object was written, by the number of its version', () => {
    const placeholders = new Placeholders();
    const versions = ['41', '41', '77'].map((version) => JSON.stringify(hidden(object(UIDS[0], version), placeholders)));
    expect(versions[1]).toBe(versions[0]);
    expect(versions[2]).toContain('{{rv:1}}');
    expect(placeholders.fill('{{rv:1}} {{uid:0}} {{created:0}} {{rv:9}}')).toBe(`77 ${UIDS[0]} 2026-05-01T12:00:10Z {{rv:9}}`);
  });

  it('keeps a time that no server made', () => {
    const kept = { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' } };
    expect(hidden(kept)).toEqual(kept);
  });

  it('shows of a list whether it goes on', () => {
    expect(
      hidden({ kind: 'CronJobList', metadata: { resourceVersion: '9', continue: 'abc' }, items: [object(UIDS[1], '5')] }),
    ).toMatchObject({
      metadata: { resourceVersion: '{{list}}', continue: '{{continue}}' },
      items: [{ metadata: { uid: '{{uid:0}}' } }],
    });
  });

  it('has no ages below ten minutes in its table', () => {
    expect(hidden({ kind: 'Table', metadata: {}, rows: [{ cells: ['a', '59s', '4m3s', '3h', 5] }] })).toMatchObject({
      rows: [{ cells: ['a', '{{age}}', '{{age}}', '3h', 5] }],
    });
  });

  it('has names in the text of a refusal', () => {
    const placeholders = new Placeholders();
    hidden(object(UIDS[0], '41'), placeholders);
    const message = `UID in object meta: ${UIDS[0]}; ResourceVersion in record (41). Applied at 2026-05-01T12:00:10Z, 63 characters`;
    expect(hidden({ kind: 'Status', message }, placeholders)).toEqual({
      kind: 'Status',
      message: 'UID in object meta: {{uid:0}}; ResourceVersion in record ({{rv}}). Applied at {{now}}, 63 characters',
    });
  });

  it('has no random characters in a generated name', () => {
    const [generateName, placeholders] = ['a.b-', new Placeholders()];
    expect(hidden({ metadata: { generateName, name: 'a.b-x7z9q' } }, placeholders, generateName)).toEqual({
      metadata: { generateName, name: 'a.b-{{random}}' },
    });
    expect(hidden({ kind: 'Status', message: '"a.b-x7z9q" of a-b-x7z9q' }, placeholders, generateName)).toEqual({
      kind: 'Status',
      message: '"a.b-{{random}}" of a-b-x7z9q',
    });
  });
});
