import { describe, expect, it } from '@jest/globals';
import { MAX_CURVES, drawChart } from './svg.ts';

const line = (label: string, ...ys: number[]) => ({ label, points: ys.map((y, index) => ({ x: 1000 * 10 ** index, y })) });
const chart = { title: 'Lists & pages', x: 'objects', y: 'ms', curves: [line('plain <1>', 1, 10, 100), line('gzip', 10, 100, 1000)] };

describe('a chart', () => {
  const svg = drawChart(chart);

  it('puts the least value at the origin and the greatest in the far corner', () => {
    const [first, second] = [...svg.matchAll(/<polyline[^>]* points="([^"]*)"/g)].map(([, points]) => points?.split(' '));
    expect(first?.[0]).toBe('84,344');
    expect(second?.at(-1)).toBe('500,48');
  });

  it('gives every point a mark and every curve a name', () => {
    expect(svg.match(/<circle /g)).toHaveLength(3 + 1);
    expect(svg.match(/<rect class="mark"/g)).toHaveLength(3 + 1);
    expect(svg).toContain('>plain &lt;1&gt;</text>');
    expect(svg).toContain('>gzip</text>');
  });

  it('escapes its title', () => {
    expect(svg).toContain('<title id="title">Lists &amp; pages</title>');
    expect(svg).not.toContain('Lists & pages');
  });

  it('has other colours on a dark page', () => {
    expect(svg).toMatch(/@media \(prefers-color-scheme:dark\)\{\.c0\{color:#6cb2ff\}/);
  });

  it('leaves out what has no place on a logarithmic axis', () => {
    const dropped = drawChart({ ...chart, curves: [line('p99', 0, 10, 100)] });
    expect(dropped.match(/<circle /g)).toHaveLength(2 + 1);
  });

  it('refuses to draw nothing, or more than it has colours for', () => {
    expect(() => drawChart({ ...chart, curves: [line('none', 0)] })).toThrow('nothing to draw');
    expect(() => drawChart({ ...chart, curves: Array.from({ length: MAX_CURVES + 1 }, () => line('one', 1)) })).toThrow('colours');
  });

  it.each(['light', 'dark'] as const)('is legible on a %s page: colours have a contrast of 4.5 to 1', (scheme) => {
    const [light = '', dark = ''] = /<style>(.*)<\/style>/.exec(svg)?.[1]?.split('@media') ?? [];
    const style = scheme === 'light' ? light : dark;
    const page = /\.page\{fill:(#\w{6})/.exec(style)?.[1] ?? '';
    const colours = [...style.matchAll(/\{(?:color|fill):(#\w{6})/g)].map(([, colour = '']) => colour).filter((colour) => colour !== page);
    expect(colours).toHaveLength(MAX_CURVES + 2);
    for (const colour of colours) expect(contrast(colour, page)).toBeGreaterThanOrEqual(4.5);
  });
});

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
