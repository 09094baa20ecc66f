import { describe, expect, it } from '@jest/globals';
import type { Evidence, ObservedEvent, ObservedRead, ObservedWrite } from './evidence.ts';
import { findViolations } from './find-violations.ts';

const event = (type: string, key: string, revision: number, mark: string, toldAt = 100): ObservedEvent => ({
  type,
  key,
  revision,
  mark,
  toldAt,
});
const write = (does: ObservedWrite['does'], key: string, mark: string, base: number, more: Partial<ObservedWrite> = {}): ObservedWrite => ({
  does,
  key,
  mark,
  base,
  outcome: 'acknowledged',
  revision: undefined,
  answeredAt: 0,
  note: 'left',
  ...more,
});
const read = (sentAt: number, state: ObservedRead['state'], key = 'a'): ObservedRead => ({
  key,
  sentAt,
  answeredAt: sentAt,
  state,
  note: 'left',
});

const events = [
  event('ADDED', 'a', 5, 'one'),
  event('MODIFIED', 'a', 7, 'two'),
  event('ADDED', 'b', 8, 'three'),
  event('DELETED', 'a', 9, 'two'),
  event('BOOKMARK', '', 9, ''),
];
const list = { sentAt: 25, answeredAt: 26, revision: 8, laterRevisions: [], note: 'left' };
const honest: Evidence = {
  writes: [
    write('create', 'a', 'one', 0, { revision: 5, answeredAt: 10 }),
    write('update', 'a', 'two', 5, { revision: 7, answeredAt: 20 }),
    write('create', 'b', 'three', 0, { outcome: 'unknown' }),
    write('create', 'b', 'four', 0, { outcome: 'unknown' }),
    write('update', 'a', 'five', 5, { outcome: 'refused' }),
    write('delete', 'a', 'six', 7, { answeredAt: 40 }),
  ],
  reads: [read(5, undefined), read(15, { revision: 5, mark: 'one' }), read(15, { revision: 7, mark: 'two' }), read(50, undefined)],
  lists: [
    {
      ...list,
      states: new Map([
        ['a', { revision: 7, mark: 'two' }],
        ['b', { revision: 8, mark: 'three' }],
      ]),
    },
  ],
  spans: [
    { watcher: 'w1', from: 4, events },
    { watcher: 'w2', from: 4, events: events.slice(0, 2) },
    { watcher: 'w2', from: 8, events: events.slice(3) },
  ],
  informers: [
    {
      informer: 'i',
      told: [
        { verb: 'add', key: 'a', revision: 5 },
        { verb: 'update', key: 'a', revision: 7 },
        { verb: 'add', key: 'b', revision: 8 },
        { verb: 'delete', key: 'a', revision: 9 },
      ],
      cache: new Map([['b', 8]]),
    },
  ],
  expired: [],
  errors: [],
  compactions: 0,
  end: 9,
};

describe('findViolations', () => {
  it('finds none where all that was seen fits together', () => {
    expect(findViolations(honest)).toEqual([]);
  });

  const spans = (...w2: readonly ObservedEvent[]): Partial<Evidence> => ({
    spans: [
      { watcher: 'w1', from: 4, events },
      { watcher: 'w2', from: 4, events: w2 },
    ],
  });
  it('judges no further where nobody saw what happened', () => {
    const some = {
      spans: [
        { watcher: 'w1', from: 4, events: events.slice(0, 1) },
        { watcher: 'w1', from: 8, events: events.slice(3) },
      ],
    };
    expect(findViolations({ ...honest, ...some, compactions: 1, expired: ['w1'] })).toEqual([
      'cannot be judged: all watches had lost their history after 5, and the end is 9',
    ]);
  });

  const writes = (...more: readonly ObservedWrite[]): Partial<Evidence> => ({ writes: [...honest.writes, ...more] });
  it('takes a delete that was refused for one that an earlier one, of unknown outcome, has overtaken', () => {
    const deletes = [write('delete', 'a', 'seven', 7, { outcome: 'unknown' }), write('delete', 'a', 'eight', 7, { outcome: 'refused' })];
    expect(findViolations({ ...honest, writes: [...honest.writes.slice(0, -1), ...deletes] })).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, RegExp]>([
    [
      'a refusal of a delete that is not true',
      { writes: [write('delete', 'a', 'seven', 7, { outcome: 'refused' })] },
      /a lie: the delete of a/,
    ],
    [
      'an event that one watch was not told',
      spans(event('ADDED', 'a', 5, 'one'), event('ADDED', 'b', 8, 'three')),
      /w2 was not told MODIFIED a at 7/,
    ],
    ['an event told twice', spans(event('ADDED', 'a', 5, 'one'), event('ADDED', 'a', 5, 'one')), /w2 was told ADDED a at 5 .* behind 5/],
    [
      'events in another order',
      spans(event('MODIFIED', 'a', 7, 'two'), event('ADDED', 'a', 5, 'one'), event('ADDED', 'b', 8, 'three')),
      /at 5 .* behind 7/,
    ],
    ['watches that were told different things', spans(event('ADDED', 'a', 5, 'other')), /w2 was told .*other.* and w1 .*one/],
    ['a bookmark ahead of what was told', spans(event('BOOKMARK', '', 8, '')), /w2 was not told ADDED a at 5/],
    [
      'a delete of what is not there',
      { spans: [{ watcher: 'w1', from: 4, events: [event('DELETED', 'c', 9, 'x')] }] },
      /deleted at 9 while/,
    ],
    [
      'a change of what is not there',
      { spans: [{ watcher: 'w1', from: 4, events: [event('MODIFIED', 'c', 9, 'x')] }] },
      /c was told as MODIFIED at 9 without/,
    ],
    [
      'an addition of what is there',
      { spans: [{ watcher: 'w1', from: 4, events: [event('ADDED', 'c', 5, 'x'), event('ADDED', 'c', 9, 'y')] }] },
      /c was told as ADDED at 9 while/,
    ],
    ['a watch that must list again although nothing was compacted', { expired: ['w2'] }, /w2 was told 410/],
    ['an error in a watch', { errors: ['w1 was told {}'] }, /w1 was told/],
    [
      'a delete that two writers were told was theirs',
      writes(write('delete', 'a', 'ten', 7)),
      /the delete of a .* was acknowledged, and so was another one/,
    ],
    ['a write that was lost', writes(write('update', 'b', 'lost', 8, { revision: 10 })), /lost: the update of b/],
    ['a delete that was lost', writes(write('delete', 'b', 'gone', 8)), /lost: the delete of b/],
    ['a refusal that is not true', writes(write('create', 'b', 'three', 0, { outcome: 'refused' })), /a lie: the create of b/],
    [
      'a resourceVersion that is not true',
      writes(write('create', 'b', 'three', 0, { revision: 6 })),
      /acknowledged at 6 and happened at 8/,
    ],
    ['an update over a state that it was not meant for', writes(write('update', 'a', 'two', 3)), /lost update: .* took the place of 5/],
    ['a read that is stale', { reads: [read(25, { revision: 5, mark: 'one' })] }, /stale: 5, after 7/],
    [
      'a read that finds nothing of what was acknowledged',
      {
        reads: [read(5, undefined, 'b'), read(45, undefined, 'a')],
        writes: writes(write('create', 'b', 'three', 0, { answeredAt: 1, revision: 8 })).writes ?? [],
      },
      /b: not found, after 8/,
    ],
    [
      'a read that is older than what a watch was told',
      {
        reads: [read(15, { revision: 5, mark: 'one' })],
        spans: [{ watcher: 'w1', from: 4, events: [event('ADDED', 'a', 5, 'one'), event('MODIFIED', 'a', 9, 'two', 14)] }],
        lists: [],
        writes: [],
      },
      /stale: 5, after 9/,
    ],
    [
      'a read that is older than another one',
      {
        reads: [read(12, { revision: 7, mark: 'two' }), read(15, { revision: 5, mark: 'one' })],
        writes: [],
      },
      /stale: 5, after 7/,
    ],
    [
      'a list that is older than another one',
      {
        lists: [...honest.lists, { ...list, sentAt: 27, revision: 5, states: new Map([['a', { revision: 5, mark: 'one' }]]) }],
        writes: [],
      },
      /stale state: 5, after 8/,
    ],
    [
      'pages that are of several states',
      { lists: honest.lists.map((each) => ({ ...each, laterRevisions: [8, 9] })) },
      /at 8, and on a later page at 9/,
    ],
    ['a read of what never was', { reads: [read(15, { revision: 7, mark: 'one' })] }, /which never was/],
    [
      'a list that is stale',
      { lists: [{ ...list, revision: 5, states: new Map([['a', { revision: 5, mark: 'one' }]]) }] },
      /stale state: 5, after 7/,
    ],
    [
      'a list without an object',
      { lists: [{ ...list, states: new Map([['a', { revision: 7, mark: 'two' }]]) }] },
      /b at nothing instead of 8/,
    ],
    [
      'an informer that ends with another state',
      { informers: honest.informers.map((each) => ({ ...each, cache: new Map() })) },
      /i holds b at nothing/,
    ],
    [
      'an informer that is told twice',
      { informers: honest.informers.map((each) => ({ ...each, told: [...each.told, { verb: 'add' as const, key: 'b', revision: 8 }] })) },
      /i was told add b at 8 after 8/,
    ],
  ])('finds %s', (_, change, violation) => {
    expect(findViolations({ ...honest, ...change })).toContainEqual(expect.stringMatching(violation));
  });
});
