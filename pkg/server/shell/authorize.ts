/** The step that decides whether the user may do it. It passes everything on: the insecure port knows only admins. */
import type { Filter } from './context.ts';

export const authorize: Filter = (next) => next;
