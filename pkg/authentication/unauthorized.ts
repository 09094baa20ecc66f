import { StatusError } from '../apimachinery/status/status-error.ts';

/** What the client is told is one word, as Kubernetes has it; `why` is for the log and must not repeat a secret. */
export const unauthorized = (why: string): StatusError => new StatusError('Unauthorized', 'Unauthorized', { cause: new Error(why) });
