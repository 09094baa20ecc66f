import { describe, expect, it } from '@jest/globals';
import { BUDGET, isComparedWithPeer, type Goal } from './budget.ts';
import { budgetLines, budgetText, checkGoals, type Measured } from './check-goals.ts';

const goal: Goal = {
  work: 'list of everything',
  row: 'list',
  unit: 'lists/s',
  bound: 'at least',
  baseline: { is: 'peer', figure: 3, times: 20 },
  on: ['etcd', 'embedded'],
  part: 'list',
  objects: 10_000,
};
const row = (value: number, details: Readonly<Record<string, number>> = {}) => ({
  target: 'etcd',
  name: 'list',
  value,
  unit: '/s',
  details,
});
const run = (...rows: Measured['rows']): Measured => ({
  rows,
  asked: { rows: ['list'], sizes: [1000, 10_000], watchers: [], targets: ['etcd'] },
});
const verdictOn = (changed: Partial<Goal>, measured: Measured) => checkGoals([{ ...goal, ...changed }], measured)[0];

describe('goals of the budget', () => {
  it.each([
    { bound: 'at least', figure: 60, says: 'met' },
    { bound: 'at least', figure: 59.9, says: 'not met' },
    { bound: 'at most', figure: 60, says: 'met' },
    { bound: 'at most', figure: 60.1, says: 'not met' },
  ] as const)('says $says of $figure where $bound 20 × 3 is wanted', ({ bound, figure, says }) => {
    expect(verdictOn({ bound }, run(row(figure)))).toMatchObject({ says, limit: 60, figure, ratio: figure / 3 });
  });

  it('takes a detail of the row where the goal names one', () => {
    const found = verdictOn({ figure: 'p99', bound: 'at most', baseline: { is: 'bound', figure: 69 } }, run(row(1, { p99: 70 })));
    expect(found).toMatchObject({ says: 'not met', figure: 70 });
  });

  it('compares with another row of the same target', () => {
    const baseline = { is: 'row', row: 'plain', shown: 'node:http', times: 0.5 } as const;
    const others = [
      { ...row(1000), target: 'embedded', name: 'plain' },
      { ...row(100), name: 'plain' },
    ];
    expect(verdictOn({ baseline }, run(row(51), ...others))).toMatchObject({ says: 'met', limit: 50, ratio: 0.51 });
    expect(verdictOn({ baseline }, run(row(51)))).toMatchObject({ says: 'not checked', why: 'node:http was not measured' });
  });

  it('compares with another figure of the same row', () => {
    const changed = { bound: 'at most', baseline: { is: 'detail', detail: 'json', shown: 'the JSON', times: 2, plus: 120 } } as const;
    expect(verdictOn(changed, run(row(180, { json: 30 })))).toMatchObject({ says: 'met', limit: 180, ratio: 6 });
    expect(verdictOn(changed, run(row(181, { json: 30 })))).toMatchObject({ says: 'not met' });
  });

  it('holds it against the peer of the same run, where that was measured', () => {
    const beside = (...rows: Measured['rows']): Measured => {
      const { asked, ...rest } = run(...rows);
      return { ...rest, asked: { ...asked, targets: [...asked.targets, 'peer'] } };
    };
    const peer = { ...row(2, { p99: 5 }), target: 'peer' };
    expect(verdictOn({}, beside(row(41), peer))).toMatchObject({ says: 'met', limit: 40, base: 2, ratio: 20.5 });
    expect(budgetLines(checkGoals([goal], beside(row(39), peer))).at(-1)).toEqual([
      'list of everything',
      'etcd',
      'at least 40 lists/s (20 × 2)',
      '39 lists/s',
      '19.5 × peer',
      'not met',
    ]);
    const latency = { figure: 'p99', bound: 'at most', baseline: { is: 'peer', times: 1 } } as const;
    expect(verdictOn(latency, beside(row(1, { p99: 6 }), peer))).toMatchObject({ says: 'not met', limit: 5 });
    expect(verdictOn({}, beside(row(41)))).toMatchObject({ says: 'not checked', why: 'the row of the peer is missing, see the notes' });
  });

  it('takes another row or figure of the peer where the goal says so', () => {
    const peer = { ...row(100), target: 'peer', name: 'resident' };
    const changed = { figure: 'anonymous', bound: 'at most', baseline: { is: 'peer', times: 0.5, of: { row: 'resident' } } } as const;
    const { asked, ...rest } = run(row(80, { anonymous: 50 }), peer);
    const measured = { ...rest, asked: { ...asked, targets: ['etcd', 'peer'] } };
    expect(verdictOn(changed, measured)).toMatchObject({ says: 'met', limit: 50 });
  });

  it('shows, and does not check, what only the peer could tell', () => {
    expect(verdictOn({ baseline: { is: 'peer', times: 2 } }, run(row(1)))).toMatchObject({
      says: 'not checked',
      why: 'the peer was not measured',
      figure: 1,
    });
  });

  it.each([
    { what: 'the part was not asked for', measured: { rows: ['get'] as const }, why: '--rows without list' },
    { what: 'there were fewer objects', measured: { sizes: [1000] }, why: '--sizes without 10000' },
    { what: 'the row failed or the time was over', measured: {}, why: 'left out, see the notes' },
  ])('says why there is no figure: $what', ({ measured, why }) => {
    const { asked, ...rest } = run();
    expect(verdictOn({}, { ...rest, asked: { ...asked, ...measured } })).toMatchObject({ says: 'not measured', why });
  });

  it('checks each goal on the stores that were measured, and no others', () => {
    expect(checkGoals([goal, { ...goal, on: ['microbenchmark'] }], run(row(60))).map(({ target }) => target)).toEqual(['etcd']);
  });

  it('prints goal, figure, ratio and verdict', () => {
    expect(budgetLines(checkGoals([goal], run(row(93)))).at(-1)).toEqual([
      'list of everything',
      'etcd',
      'at least 60 lists/s (20 × 3)',
      '93 lists/s',
      '31 × peer',
      'met',
    ]);
  });

  it('counts what was not asked for, and prints it not', () => {
    const measured = run(row(93));
    const text = budgetText(checkGoals([goal, { ...goal, work: 'get of one', part: 'get' }], measured), measured);
    expect(text).toMatch(/\n\n1 met, 0 not met, 0 not checked, 1 not measured$/);
    expect(text).not.toContain('get of one');
  });
});

describe('the budget', () => {
  it.each([
    ['list', 10_000, undefined, true],
    ['list', 1000, undefined, false],
    ['fan-out', 10_000, 1000, true],
    ['fan-out', 10_000, 1, false],
    ['https', 10_000, undefined, false],
    ['idle', 10_000, 1000, false],
    ['start', 0, undefined, false],
    ['start', 100_000, undefined, false],
  ] as const)('wants the peer measured only where it is compared with: %s, %d objects, %p watchers: %p', (part, objects, watchers, is) => {
    expect(isComparedWithPeer(part, objects, watchers)).toBe(is);
  });

  it('names no work twice for one store', () => {
    const named = BUDGET.flatMap(({ work, on }) => on.map((store) => `${store}: ${work}`));
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
  });

  it('asks of lists what was agreed: 20 times the peer, 50 times with gzip', () => {
    const limits = checkGoals(BUDGET, {
      rows: ['list', 'list gzip'].map((list) => ({ ...row(0), name: `${list}, 1 client of 10,000` })),
      asked: { rows: ['list'], sizes: [10_000], watchers: [], targets: ['etcd'] },
    }).flatMap(({ limit }) => (limit === undefined ? [] : [Math.round(limit)]));
    expect(limits).toEqual([60, 190]);
  });
});
