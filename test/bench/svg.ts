/**
 * Draws curves over two logarithmic axes as an SVG that stands alone: no script, no font of its own, legible on light
 * and dark pages.
 */
import { logScale, type LogScale } from './log-scale.ts';

export interface Curve {
  readonly label: string;
  /** Ascending in `x`. What is not above 0 has no place on the axes and is left out. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Chart {
  readonly title: string;
  /** Of the axes, with their units. */
  readonly x: string;
  readonly y: string;
  /** At most as many as there are colours. */
  readonly curves: readonly Curve[];
}

const WIDTH = 720;
const HEIGHT = 400;
const PLOT = { left: 84, right: 500, top: 48, bottom: 344 };
const LEGEND_LINE = 22;

/** Each has as much contrast with its page as text needs; the shape of its marks tells a curve too. */
const COLOURS = [
  { light: '#0b57a4', dark: '#6cb2ff' },
  { light: '#a8400b', dark: '#ff9e64' },
  { light: '#1a6b3c', dark: '#5fd08a' },
  { light: '#7b2d8b', dark: '#dd9bef' },
  { light: '#8a6100', dark: '#e6c04a' },
  { light: '#a3123f', dark: '#ff8fa8' },
] as const;
export const MAX_CURVES = COLOURS.length;

const styleOf = (scheme: 'light' | 'dark'): string =>
  COLOURS.map(({ [scheme]: colour }, index) => `.c${index}{color:${colour}}`).join('') +
  (scheme === 'light'
    ? '.page{fill:#ffffff}.text{fill:#1f2328}.faint{fill:#59636e}.grid{stroke:#d8dee4}.axis{stroke:#59636e}'
    : '.page{fill:#0d1117}.text{fill:#e6edf3}.faint{fill:#9da7b3}.grid{stroke:#2b323b}.axis{stroke:#9da7b3}');

const STYLE =
  'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif}.title{font-size:15px;font-weight:600}' +
  '.line{fill:none;stroke:currentColor;stroke-width:2}.mark{fill:currentColor}' +
  `${styleOf('light')}@media (prefers-color-scheme:dark){${styleOf('dark')}}`;

export function drawChart({ title, x, y, curves }: Chart): string {
  if (curves.length > MAX_CURVES) throw new RangeError(`${title}: ${curves.length} curves, and colours for ${MAX_CURVES}`);
  const drawn = curves.map(({ label, points }) => ({ label, points: points.filter((point) => point.x > 0 && point.y > 0) }));
  const all = drawn.flatMap(({ points }) => points);
  if (all.length === 0) throw new RangeError(`${title}: there is nothing to draw`);
  const across = logScale(all.map((point) => point.x));
  const upward = logScale(all.map((point) => point.y));
  const place = (point: { readonly x: number; readonly y: number }) => ({ x: leftOf(across, point.x), y: topOf(upward, point.y) });
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    text(PLOT.left, 28, 'title text', title),
    ...across.ticks.flatMap((tick) => {
      const at = leftOf(across, tick);
      return [gridLine(at, PLOT.top, at, PLOT.bottom), text(at, PLOT.bottom + 18, 'faint', tickText(tick), 'middle')];
    }),
    ...upward.ticks.flatMap((tick) => {
      const at = topOf(upward, tick);
      return [gridLine(PLOT.left, at, PLOT.right, at), text(PLOT.left - 8, at + 4, 'faint', tickText(tick), 'end')];
    }),
    `<path class="axis" fill="none" d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}H${PLOT.right}"/>`,
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 42, 'text', x, 'middle'),
    text(0, 0, 'text', y, 'middle', `translate(18 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)`),
    ...drawn.map(({ label, points }, index) => curve(index, label, points.map(place))),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

const leftOf = (scale: LogScale, value: number): number => rounded(PLOT.left + scale.place(value) * (PLOT.right - PLOT.left));
const topOf = (scale: LogScale, value: number): number => rounded(PLOT.bottom - scale.place(value) * (PLOT.bottom - PLOT.top));
const rounded = (value: number): number => Math.round(value * 10) / 10;
const tickText = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });
const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function text(x: number, y: number, style: string, words: string, anchor = 'start', transform?: string): string {
  const turned = transform === undefined ? '' : ` transform="${transform}"`;
  return `<text x="${x}" y="${y}" class="${style}" text-anchor="${anchor}"${turned}>${escaped(words)}</text>`;
}

const gridLine = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line class="grid" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The curve and its line in the legend. */
function curve(index: number, label: string, places: readonly Place[]): string {
  const key = { x: PLOT.right + 28, y: PLOT.top + 10 + index * LEGEND_LINE };
  return [
    `<g class="c${index}">`,
    `<polyline class="line" points="${places.map(({ x, y }) => `${x},${y}`).join(' ')}"/>`,
    ...places.map((place) => mark(index, place)),
    `<path class="line" d="M${key.x - 14} ${key.y}h28"/>`,
    mark(index, key),
    text(key.x + 22, key.y + 4, 'text', label),
    '</g>',
  ].join('');
}

/** Circle, square and triangle by turns: colour alone tells nothing to many people. */
function mark(index: number, { x, y }: Place): string {
  if (index % 3 === 0) return `<circle class="mark" cx="${x}" cy="${y}" r="4"/>`;
  if (index % 3 === 1) return `<rect class="mark" x="${rounded(x - 3.5)}" y="${rounded(y - 3.5)}" width="7" height="7"/>`;
  return `<path class="mark" d="M${x} ${rounded(y - 5)}l5 9h-10z"/>`;
}
