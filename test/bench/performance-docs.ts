/** The generated parts of docs/performance.md and its pictures, from what a run of the bench measured. */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUDGET } from './budget.ts';
import { REFERENCE_BUDGET } from './reference-budget.ts';
import { REFERENCE } from './options.ts';
import { budgetLines, countText, checkGoals } from './check-goals.ts';
import { PICTURES, curvesOf, draw, type Picture } from './pictures.ts';
import { markdownTable, number, short } from './report.ts';
import type { Results } from './results.ts';
import type { Curve } from './svg.ts';

export const DOCS = join(import.meta.dirname, '../../docs');
export const PAGE = 'performance.md';
export const FOLDER = 'performance';
export const FIGURES = 'figures.json';
export const REFERENCE_FIGURES = 'reference.json';
/** Above this share of the processors, others were at work while the bench ran. */
const BUSY_SHARE = 0.5;
const WHOLE_SIZE = 100_000;

export interface PerformanceDocs {
  /** Text by the name of its markers. */
  readonly sections: ReadonlyMap<string, string>;
  /** SVG by file name. */
  readonly pictures: ReadonlyMap<string, string>;
}

export function performanceDocs(results: Results): PerformanceDocs {
  const stores = results.asked.targets.filter((target) => target === 'etcd' || target === 'embedded');
  const pictures = new Map<string, string>();
  const curves: string[] = [];
  for (const picture of PICTURES) {
    const shown = stores.flatMap((store) => {
      const svg = draw(picture, store, results.rows);
      if (svg === undefined) return [];
      const file = `${picture.file}-${store}.svg`;
      pictures.set(file, svg);
      const alt = `${picture.title}, ${picture.y} over ${picture.x}, on ${store}`;
      return [`![${alt}](${FOLDER}/${file})`, pointTable(picture, store, curvesOf(picture, store, results.rows))];
    });
    if (shown.length > 0) curves.push(`### ${picture.title}`, ...shown);
  }
  return {
    sections: new Map([
      ['machine', machineText(results)],
      ['budget', budgetSection(results)],
      ['curves', curves.length === 0 ? 'Nothing was measured.' : curves.join('\n\n')],
    ]),
    pictures,
  };
}

function machineText({ at, machine, asked, objectBytes }: Results): string {
  const counts = (values: readonly number[]) => values.map(short).join(', ');
  const warnings = [
    ...(machine.loadBefore > machine.cpus * BUSY_SHARE
      ? [
          `**Others were at work on the machine** (load ${number(machine.loadBefore)} when the run began): times are longer and rates lower than the server's own.`,
        ]
      : []),
    ...(asked.sizes.includes(WHOLE_SIZE) || machine.reference !== undefined
      ? []
      : [`**A small run**: up to ${short(asked.sizes.at(-1) ?? 0)} objects.`]),
  ];
  const facts = [
    `Measured ${at.slice(0, 10)} on ${machine.cpus} × ${machine.cpu} with ${Math.round(machine.memoryGb)} GB, ${machine.platform}, Node.js ${machine.node}` +
      `${machine.etcd === undefined ? '' : `, etcd ${machine.etcd}`}; client, server and store shared the machine; stores kept their data ${machine.data === 'disk' ? 'on disk' : 'in memory'}. Load ${number(machine.loadBefore)} before the run, ` +
      `${number(machine.loadAfter)} at its end.`,
    `Objects of ${short(objectBytes)} bytes: ${counts(asked.sizes)} of them; ${counts(asked.watchers)} watchers${asked.rows.includes('idle') ? ` and ${counts(asked.idle)} idle ones` : ''}; ` +
      `${short(asked.seconds)} s for each row, most of them in ${short(asked.rounds)} rounds in which the servers took turns.`,
    machine.reference !== undefined
      ? `The server of Kubernetes ${machine.reference}, on the same machine in the same run: RBAC, default admission.`
      : machine.peer === undefined
        ? 'The peer was not measured in this run: its figures are those of another machine.'
        : `The peer, on the same machine in the same run, was built of Kubernetes ${machine.peer}.`,
  ];
  // One sentence a line, as on all pages.
  return [...warnings, ...facts].map((text) => text.replaceAll('. ', '.\n')).join('\n\n');
}

function budgetSection(results: Results, verdicts = checkGoals(BUDGET, results)): string {
  const [header = [], ...lines] = budgetLines(verdicts);
  return [
    `${countText(verdicts)}.`,
    markdownTable([[...header.slice(0, -1), 'verdict'], ...lines]),
    ...(results.notes.length === 0 ? [] : [results.notes.map((note) => `- Note: ${note}`).join('\n')]),
  ].join('\n\n');
}

/** Everything that both servers were measured at, with the ratio. */
function besideReference({ rows, asked }: Results): string {
  const names = [...new Set(rows.filter(({ target }) => target === REFERENCE).map(({ name }) => name))];
  const targets = asked.targets.filter((target) => target !== REFERENCE);
  const lines = names.map((name) => {
    const rowOf = (target: string) => rows.find((row) => row.name === name && row.target === target);
    const base = rowOf(REFERENCE);
    const ratioOf = (target: string) => {
      const row = rowOf(target);
      return row === undefined || base === undefined || base.value === 0
        ? ''
        : `${number(row.value)} (× ${number(row.value / base.value)})`;
    };
    return [`${name}, ${base?.unit ?? ''}`, number(base?.value ?? NaN), ...targets.map(ratioOf)];
  });
  return markdownTable([['row', REFERENCE, ...targets], ...lines]);
}

/** Of a run with `--reference`. */
export const referenceSection = (results: Results): string =>
  [machineText(results), budgetSection(results, checkGoals(REFERENCE_BUDGET, results, REFERENCE)), besideReference(results)].join('\n\n');

/** Of a run with `--reference`: its section of the page, and its figures. */
export async function writeReferenceDocs(results: Results, docs = DOCS): Promise<void> {
  const page = join(docs, PAGE);
  await writeFile(page, withSections(await readFile(page, 'utf8'), new Map([['reference', referenceSection(results)]])));
  await writeFile(join(docs, FOLDER, REFERENCE_FIGURES), `${JSON.stringify(results, undefined, 2)}\n`);
}

/** The same figures for those who cannot see the picture, or want to copy one. */
function pointTable({ x, y }: Picture, store: string, curves: readonly Curve[]): string {
  const places = [...new Set(curves.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const header = [`${store}: ${y}, by ${x}`, ...places.map(short)];
  const lines = curves.map(({ label, points }) => [
    label,
    ...places.map((place) => {
      const found = points.find((point) => point.x === place);
      return found === undefined ? '' : number(found.y);
    }),
  ]);
  return markdownTable([header, ...lines]);
}

/** Replaces what stands between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. Throws when markers are missing. */
export function withSections(page: string, sections: ReadonlyMap<string, string>): string {
  let text = page;
  for (const [name, section] of sections) {
    const start = `<!-- bench:${name} -->`;
    const from = text.indexOf(start);
    const to = text.indexOf(`<!-- /bench:${name} -->`, from);
    if (from < 0 || to < 0) throw new Error(`there are no markers for ${name}`);
    text = `${text.slice(0, from + start.length)}\n\n${section}\n\n${text.slice(to)}`;
  }
  return text;
}

/** Writes page, pictures and figures below `docs`, and removes pictures of which nothing was measured. */
export async function writePerformanceDocs(results: Results, docs = DOCS): Promise<void> {
  const folder = join(docs, FOLDER);
  const page = join(docs, PAGE);
  const { sections, pictures } = performanceDocs(results);
  await writeFile(page, withSections(await readFile(page, 'utf8'), sections));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FIGURES), `${JSON.stringify(results, undefined, 2)}\n`);
  for (const [file, svg] of pictures) await writeFile(join(folder, file), svg);
  for (const file of await readdir(folder)) if (file.endsWith('.svg') && !pictures.has(file)) await rm(join(folder, file));
}
