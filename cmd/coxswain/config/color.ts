import type { Terminal } from '../terminal.ts';
import type { ColorChoice } from './config-flags.ts';

/** Applies `--color` to the terminal. */
export const withColor = (terminal: Terminal, choice: ColorChoice): Terminal =>
  choice === 'auto' ? terminal : { ...terminal, colors: choice === 'always' };
