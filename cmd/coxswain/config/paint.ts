/** Terminal colors. */
import { styleText } from 'node:util';
import type { Terminal } from '../terminal.ts';

type Style = (text: string) => string;

export interface Paint {
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

const COLORS: Paint = {
  strong: styled('bold'),
  faint: styled('dim'),
  error: styled('bold', 'red'),
  warning: styled('bold', 'yellow'),
  good: styled('green'),
  added: styled('green'),
  removed: styled('red'),
};
const PLAIN: Paint = { strong: plain, faint: plain, error: plain, warning: plain, good: plain, added: plain, removed: plain };

export const paintFor = ({ colors }: Terminal): Paint => (colors ? COLORS : PLAIN);
