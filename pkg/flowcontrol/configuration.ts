/** FlowSchemas and priority levels as flow control needs them. The specs are those of the API, checked when written. */

export interface FlowSchema {
  readonly name: string;
  /** Empty for a mandatory object that is not stored. */
  readonly uid: string;
  readonly spec: FlowSchemaSpec;
}

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration: { readonly name: string };
  readonly matchingPrecedence: number;
  readonly distinguisherMethod?: { readonly type: string };
  readonly rules?: readonly FlowRule[];
}

export interface FlowRule {
  readonly subjects: readonly FlowSubject[];
  readonly resourceRules?: readonly FlowResourceRule[];
  readonly nonResourceRules?: readonly FlowPathRule[];
}

export interface FlowSubject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface FlowResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

export interface FlowPathRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface PriorityLevel {
  readonly name: string;
  readonly uid: string;
  readonly spec: PriorityLevelSpec;
}

export interface PriorityLevelSpec {
  readonly type: string;
  readonly limited?: LimitedLevel;
  readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
}

export interface LimitedLevel {
  readonly nominalConcurrencyShares?: number | null;
  readonly limitResponse?: { readonly type: string; readonly queuing?: Queuing };
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
}

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export interface FlowConfiguration {
  readonly flowSchemas: readonly FlowSchema[];
  readonly priorityLevels: readonly PriorityLevel[];
}

export const EXEMPT = 'exempt';
export const CATCH_ALL = 'catch-all';
