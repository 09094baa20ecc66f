import { StatusError } from '../apimachinery/status/status-error.ts';

/** As in Kubernetes, clients only see one word; `why` is for the log and must not contain a secret. */
export const unauthorized = (why: string): StatusError => new StatusError('Unauthorized', 'Unauthorized', { cause: new Error(why) });
