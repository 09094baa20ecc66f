/** The step that decides whether a request may run now. It passes everything on: the insecure port knows only admins. */
import type { Filter } from './context.ts';

export const flowControl: Filter = (next) => next;
