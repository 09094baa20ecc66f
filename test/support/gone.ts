import type { Api } from './api.ts';
import { waitFor } from './wait.ts';

/** Waits until GET of the path is 404: a Namespace goes when it was emptied. */
export const gone = (api: Pick<Api, 'get'>, path: string): Promise<void> =>
  waitFor(async () => (await api.get(path)).code === 404, { what: `the end of ${path}` });
