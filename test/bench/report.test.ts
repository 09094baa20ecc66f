import { describe, expect, it } from '@jest/globals';
import { aligned, createReport, markdownTable, number } from './report.ts';

describe('a report', () => {
  it('knows that something failed, and keeps other notes apart from that', () => {
    const report = createReport(() => undefined);
    report.note('left out');
    expect(report.hasFailed).toBe(false);
    report.failure('broken');
    expect(report).toMatchObject({ hasFailed: true, notes: ['left out', 'broken'] });
  });

  it('keeps the median of each figure, and the most of every mistake', () => {
    const report = createReport(() => undefined);
    const rounds = [
      [3, 7, 0],
      [1, 8, 2],
      [2, 9, 0],
    ] as const;
    for (const [value, p99, lost] of rounds) report.add({ target: 'etcd', name: 'list', value, unit: '/s', details: { p99, lost } });
    report.add({ target: 'peer', name: 'list', value: 5, unit: '/s', details: {} });
    for (const value of [4, 9, 5]) report.add({ target: 'etcd', name: 'held up', value, unit: 'ms', details: {}, isWorst: true });
    expect(report.rows).toEqual([
      { target: 'etcd', name: 'list', value: 2, unit: '/s', details: { p99: 8, lost: 2 } },
      { target: 'peer', name: 'list', value: 5, unit: '/s', details: {} },
      { target: 'etcd', name: 'held up', value: 9, unit: 'ms', details: {}, isWorst: true },
    ]);
  });

  it.each([
    [12_345, '12,345'],
    [123.4, '123'],
    [12.34, '12.3'],
    [1.234, '1.23'],
    [0.1234, '0.123'],
    [3, '3'],
  ])('writes %d as %s', (value, text) => {
    expect(number(value)).toBe(text);
  });

  const lines = [
    ['row', 'a'],
    ['list', '1 | 2'],
  ];

  it('puts columns side by side', () => {
    expect(aligned(lines)).toBe('row   a\nlist  1 | 2');
  });

  it('writes tables in Markdown, with bars inside of cells kept apart', () => {
    expect(markdownTable(lines)).toBe('| row  | a      |\n| ---- | ------ |\n| list | 1 \\| 2 |');
  });
});
