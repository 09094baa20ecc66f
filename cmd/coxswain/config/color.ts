/** Terminal colors and text styles. */
import { styleText } from 'node:util';
import type { Terminal } from '../terminal.ts';
import type { ColorChoice } from './config-flags.ts';

type Style = (text: string) => string;

export interface Styles {
  readonly strong: Style;
  readonly faint: Style;
  readonly error: Style;
  readonly warning: Style;
  readonly good: Style;
  readonly added: Style;
  readonly removed: Style;
}

const plain: Style = (text) => text;
const styled =
  (...format: ('bold' | 'dim' | 'red' | 'yellow' | 'green')[]): Style =>
  (text) =>
    text === '' ? '' : styleText(format, text, { validateStream: false });

const COLORS: Styles = {
  strong: styled('bold'),
  faint: styled('dim'),
  error: styled('bold', 'red'),
  warning: styled('bold', 'yellow'),
  good: styled('green'),
  added: styled('green'),
  removed: styled('red'),
};
const PLAIN: Styles = { strong: plain, faint: plain, error: plain, warning: plain, good: plain, added: plain, removed: plain };

export const stylesFor = ({ colors }: Terminal): Styles => (colors ? COLORS : PLAIN);

/** Applies `--color` to the terminal. */
export const withColor = (terminal: Terminal, choice: ColorChoice): Terminal =>
  choice === 'auto' ? terminal : { ...terminal, colors: choice === 'always' };
