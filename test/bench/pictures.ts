/** What is drawn: which rows make which curves of which picture. */
import type { Row } from './report.ts';
import { drawChart, type Curve } from './svg.ts';

export interface Picture {
  readonly file: string;
  readonly title: string;
  readonly over: 'objects' | 'watchers';
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly label: string;
  readonly series: string;
  /** One of the details of its rows; absent: their value. */
  readonly figure?: string;
}

const OBJECTS = { over: 'objects', x: 'objects' } as const;
const WATCHERS = { over: 'watchers', x: 'watchers' } as const;
const PROTOCOLS = [
  ['HTTP/1.1', 'fan-out'],
  ['HTTPS, HTTP/1.1', 'fan-out, HTTPS HTTP/1.1'],
  ['HTTPS, HTTP/2', 'fan-out, HTTPS HTTP/2'],
] as const;

export const PICTURES: readonly Picture[] = [
  {
    ...OBJECTS,
    file: 'list-cpu',
    title: 'What a list costs the server',
    y: 'ms of processor time for each',
    lines: [
      { label: 'everything', series: 'list, 1 client', figure: 'cpu' },
      { label: 'everything, gzip', series: 'list gzip, 1 client', figure: 'cpu' },
      { label: 'everything as Table', series: 'list as Table, 1 client', figure: 'cpu' },
      { label: 'all pages of 500', series: 'pages of 500', figure: 'cpu' },
      { label: 'initial events', series: 'initial events', figure: 'cpu' },
      { label: 'selector, 1 %', series: 'list by selector (1 %)', figure: 'cpu' },
    ],
  },
  {
    ...OBJECTS,
    file: 'list-rate',
    title: 'Lists per second',
    y: 'per second',
    lines: [
      { label: '1 client', series: 'list, 1 client' },
      { label: '4 clients', series: 'list, 4 clients' },
      { label: 'gzip, 1 client', series: 'list gzip, 1 client' },
      { label: 'gzip, 4 clients', series: 'list gzip, 4 clients' },
      { label: 'all pages of 500', series: 'pages of 500' },
      { label: 'selector, 1 %', series: 'list by selector (1 %)' },
    ],
  },
  {
    ...WATCHERS,
    file: 'fan-out-rate',
    title: 'One writer without a pause, everyone watches',
    y: 'deliveries per second',
    lines: PROTOCOLS.map(([label, series]) => ({ label, series })),
  },
  {
    ...WATCHERS,
    file: 'fan-out-latency',
    title: 'From the moment a write is sent until its event has arrived',
    y: 'ms',
    lines: PROTOCOLS.flatMap(([label, series]) => [
      { label: `${label}, p50`, series, figure: 'p50' },
      { label: `${label}, p99`, series, figure: 'p99' },
    ]),
  },
  {
    ...WATCHERS,
    file: 'fan-out-cpu',
    title: 'What a delivery costs the server',
    y: 'ms of processor time for each',
    lines: PROTOCOLS.map(([label, series]) => ({ label, series, figure: 'cpu' })),
  },
  {
    ...WATCHERS,
    file: 'idle',
    title: 'A write while many wait for something else',
    x: 'idle watchers',
    y: 'ms',
    lines: [
      { label: 'p50', series: 'put beside idle watchers', figure: 'p50' },
      { label: 'p99', series: 'put beside idle watchers', figure: 'p99' },
      { label: 'processor time', series: 'put beside idle watchers', figure: 'cpu' },
    ],
  },
  {
    ...OBJECTS,
    file: 'memory',
    title: 'What the server holds in memory',
    y: 'MB',
    lines: [
      { label: 'after loading', series: 'resident after loading', figure: 'anonymous' },
      { label: 'lists, updates, pages', series: 'resident after lists, updates and open pages', figure: 'anonymous' },
      { label: 'live Buffers, loaded', series: 'resident after loading', figure: 'live buffers' },
      { label: 'the objects as JSON', series: 'resident after loading', figure: 'json' },
    ],
  },
];

/** Those of which something was measured on that target. */
export function curvesOf({ lines, over }: Picture, target: string, rows: readonly Row[]): readonly Curve[] {
  return lines.flatMap(({ label, series, figure }) => {
    const points = rows
      .flatMap((row) => {
        const y = figure === undefined ? row.value : row.details[figure];
        return row.target === target && row.at?.series === series && row.at.over === over && y !== undefined ? [{ x: row.at.x, y }] : [];
      })
      .sort((a, b) => a.x - b.x);
    return points.length === 0 ? [] : [{ label, points }];
  });
}

/** Undefined when nothing of it was measured. */
export function draw(picture: Picture, target: string, rows: readonly Row[]): string | undefined {
  const curves = curvesOf(picture, target, rows);
  if (!curves.some(({ points }) => points.some(({ x, y }) => x > 0 && y > 0))) return undefined;
  const { title, x, y } = picture;
  return drawChart({ title: `${title} (${target})`, x, y, curves });
}
