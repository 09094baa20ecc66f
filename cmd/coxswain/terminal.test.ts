import { describe, expect, it } from '@jest/globals';
import { terminalOf } from './terminal.ts';

describe('terminalOf', () => {
  it.each([
    [{ isTTY: true, columns: 60 }, {}, { columns: 60, colors: true }],
    [{ isTTY: true, columns: 60 }, { COLUMNS: '80' }, { columns: 60, colors: true }],
    [{ isTTY: true, columns: 0 }, { COLUMNS: '80' }, { columns: 80, colors: true }],
    [{ isTTY: true, columns: 3 }, {}, { columns: 20, colors: true }],
    [{}, {}, { columns: 100, colors: false }],
    [{}, { COLUMNS: '60' }, { columns: 60, colors: false }],
    [{}, { COLUMNS: 'many' }, { columns: 100, colors: false }],
    [{ isTTY: true, columns: 60 }, { NO_COLOR: '1' }, { columns: 60, colors: false }],
    [{ isTTY: true, columns: 60 }, { NO_COLOR: '' }, { columns: 60, colors: true }],
    [{ isTTY: true, columns: 60 }, { TERM: 'dumb' }, { columns: 60, colors: false }],
  ])('%j with %j is %j', (stream, environment, terminal) => expect(terminalOf(stream, environment)).toEqual(terminal));
});
