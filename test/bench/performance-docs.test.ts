import { describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DOCS,
  FIGURES,
  FOLDER,
  PAGE,
  performanceDocs,
  REFERENCE_FIGURES,
  referenceSection,
  withSections,
  writePerformanceDocs,
} from './performance-docs.ts';
import { BUDGET } from './budget.ts';
import { checkGoals } from './check-goals.ts';
import { RATES_AT } from './options.ts';
import { PICTURES, curvesOf } from './pictures.ts';
import { readResults, type Results } from './results.ts';

/** Measured from that size on alone. */
const MIXED_LOAD = 'lists, updates, pages';
const PAGE_TEXT = ['machine', 'budget', 'curves'].map((name) => `<!-- bench:${name} -->\nold\n<!-- /bench:${name} -->\n`).join('kept\n');

const listAt = (x: number, value: number, cpu: number) =>
  ({
    target: 'etcd',
    name: `list, 1 client of ${x.toLocaleString('en-US')}`,
    value,
    unit: '/s',
    details: { cpu },
    at: { series: 'list, 1 client', over: 'objects', x },
  }) as const;

const results: Results = {
  at: '2026-11-21T20:00:00.000Z',
  machine: {
    node: 'v24.21.0',
    platform: 'linux x64',
    cpus: 2,
    cpu: 'Example',
    memoryGb: 24,
    data: 'disk',
    etcd: '3.4.23',
    loadBefore: 0.2,
    loadAfter: 2,
  },
  objectBytes: 3100,
  asked: { rows: ['list'], sizes: [1000, 10_000, 100_000], watchers: [], idle: [], targets: ['etcd'], seconds: 2, rounds: 3 },
  notes: [],
  rows: [listAt(10_000, 90, 10), listAt(1000, 900, 1)],
};
const section = (name: string, of = results) => performanceDocs(of).sections.get(name) ?? '';

describe('the page on performance', () => {
  it('is written anew between its markers, and nowhere else', () => {
    const written = withSections(PAGE_TEXT, new Map([['budget', 'new']]));
    expect(written).toBe(PAGE_TEXT.replace('budget -->\nold\n', 'budget -->\n\nnew\n\n'));
    expect(withSections(written, new Map([['budget', 'new']]))).toBe(written);
  });

  it('refuses a page without its markers', () => {
    expect(() => withSections('# Performance\n', new Map([['budget', 'new']]))).toThrow('no markers for budget');
  });

  it('shows each curve as picture and as table', () => {
    const { pictures } = performanceDocs(results);
    expect([...pictures.keys()]).toEqual(['list-cpu-etcd.svg', 'list-rate-etcd.svg']);
    expect(section('curves')).toContain('](performance/list-rate-etcd.svg)');
    expect(section('curves')).toContain('| 1 client                     | 900   | 90     |');
  });

  it('holds the figures against the budget', () => {
    expect(section('budget')).toContain('| at least 60 lists/s (20 × 3)');
    expect(section('budget')).toMatch(/90 \/s|90 lists\/s/);
  });

  it('says on which machine, and nothing more when all was well', () => {
    expect(section('machine')).toMatch(/^Measured 2026-11-21 on 2 × Example with 24 GB, linux x64, Node.js v24.21.0, etcd 3.4.23;/);
    expect(section('machine')).toContain('The peer was not measured in this run');
    expect(section('machine', { ...results, machine: { ...results.machine, peer: '1.36.1' } })).toContain('built of Kubernetes 1.36.1.');
  });

  it('says so when others were at work, and when the run was small', () => {
    const busy = { ...results, machine: { ...results.machine, loadBefore: 3 }, asked: { ...results.asked, sizes: [1000] } };
    expect(section('machine', busy)).toMatch(/^\*\*Others were at work on the machine\*\* \(load 3 when/);
    expect(section('machine', busy)).toContain('**A small run**: up to 1,000 objects.');
  });

  it('removes pictures of which nothing was measured', async () => {
    const docs = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
    try {
      await writeFile(join(docs, PAGE), PAGE_TEXT);
      await writePerformanceDocs(results, docs);
      await writePerformanceDocs({ ...results, rows: [] }, docs);
      expect(await readdir(join(docs, FOLDER))).toEqual([FIGURES]);
      expect(await readFile(join(docs, PAGE), 'utf8')).toContain('Nothing was measured.');
    } finally {
      await rm(docs, { recursive: true });
    }
  });

  it('is made of figures for everything that could be measured: no curve is missing, and no goal for lack of its row', async () => {
    const kept = await readResults(join(DOCS, FOLDER, FIGURES));
    expect(kept.asked.targets).toEqual(expect.arrayContaining(['etcd', 'embedded']));
    expect(
      checkGoals(BUDGET, kept).flatMap(({ goal, target, why }) =>
        why?.startsWith('left out') === true ? [`${target}: ${goal.work}`] : [],
      ),
    ).toEqual([]);
    for (const store of ['etcd', 'embedded']) {
      for (const picture of PICTURES) {
        const labels = picture.lines
          .filter(({ label }) => label !== MIXED_LOAD || Math.max(...kept.asked.sizes) >= RATES_AT)
          .map(({ label }) => label);
        expect(curvesOf(picture, store, kept.rows).map(({ label }) => label)).toEqual(labels);
      }
    }
  });

  it('is the one that its figures make: nobody typed one', async () => {
    const kept = performanceDocs(await readResults(join(DOCS, FOLDER, FIGURES)));
    const page = await readFile(join(DOCS, PAGE), 'utf8');
    expect(withSections(page, kept.sections)).toBe(page);
    const files = (await readdir(join(DOCS, FOLDER))).filter((file) => file.endsWith('.svg')).sort();
    expect(files).toEqual([...kept.pictures.keys()].sort());
    const reference = await readResults(join(DOCS, FOLDER, REFERENCE_FIGURES));
    expect(withSections(page, new Map([['reference', referenceSection(reference)]]))).toBe(page);
    for (const [file, svg] of kept.pictures) expect(await readFile(join(DOCS, FOLDER, file), 'utf8')).toBe(svg);
  });
});
