/** Agrees with a client on the representation of its answer. */
import type { RequestContext } from '../filters/context.ts';
import { negotiate } from './accept.ts';
import type { NegotiateOptions } from './accept.ts';
import type { Output } from './output.ts';
import { wantsPretty } from './pretty.ts';

/** Also fills in `context.output`, by which the encode step goes. Throws NotAcceptable. */
export function agreeOnOutput(context: RequestContext, endpoint: NegotiateOptions['endpoint']): Output {
  const { headers, query } = context.request;
  const output = negotiate(headers['accept'], { pretty: wantsPretty(query, headers['user-agent']), endpoint });
  context.output = output;
  return output;
}
