/** Negotiates the representation of a response. */
import type { RequestContext } from '../filters/context.ts';
import { negotiate, type NegotiateOptions } from './accept.ts';
import type { Output } from './output.ts';
import { wantsPretty } from './pretty.ts';

/** Also sets `context.output` for the encode step. Throws NotAcceptable. */
export function negotiateOutput(context: RequestContext, endpoint: NegotiateOptions['endpoint']): Output {
  const { headers, query } = context.request;
  const output = negotiate(headers['accept'], { pretty: wantsPretty(query, headers['user-agent']), endpoint });
  context.output = output;
  return output;
}
