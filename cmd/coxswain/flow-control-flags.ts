/** Flags of flow control. */
import { booleanFlag, integer } from './flag-parsers.ts';
import { withDefault } from './flag.ts';

const MAX = 1_000_000;

export const FLOW_CONTROL_FLAGS = {
  enablePriorityAndFairness: booleanFlag({
    name: 'enable-priority-and-fairness',
    help: 'Whether FlowSchemas and PriorityLevelConfigurations decide which requests wait and which are refused. If not, there are only the two limits.',
    default: 'true',
  }),
  maxRequestsInflight: withDefault({
    name: 'max-requests-inflight',
    placeholder: 'NUMBER',
    help: 'Requests that read, without watches, in work at the same time; 0 is no limit. With priority and fairness, the sum of both limits is what the priority levels divide.',
    default: '400',
    parse: integer(0, MAX, 'a number of requests'),
  }),
  maxMutatingRequestsInflight: withDefault({
    name: 'max-mutating-requests-inflight',
    placeholder: 'NUMBER',
    help: 'Requests that write in work at the same time; 0 is no limit. With priority and fairness, the sum of both limits is what the priority levels divide.',
    default: '200',
    parse: integer(0, MAX, 'a number of requests'),
  }),
  maxWatchesPerUser: withDefault({
    name: 'max-watches-per-user',
    placeholder: 'NUMBER',
    help: 'Watches that one user may have open at the same time; 0 is no limit. More are refused with 429.',
    default: '20000',
    parse: integer(0, MAX, 'a number of watches'),
  }),
};
