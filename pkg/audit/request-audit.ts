/**
 * The audit of one request: collects what is known of it and writes an Event of audit/v1 at each stage. Fields, their
 * order and their values are those of Kubernetes.
 */
import type { Status } from '../apimachinery/status/status-error.ts';
import type { UserInfo } from '../authentication/authenticator.ts';
import type { AuditDecision, AuditLevel, AuditStage } from './policy.ts';
import { type EventTexts, sortedByKey } from './event-texts.ts';

/** Metadata that a request object may add to the reference. */
export interface ObjectIdentity {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface AuditedObject extends ObjectIdentity {
  readonly resource: string;
  readonly group: string;
  readonly version: string;
  readonly subresource: string;
}

export interface AuditedRequest {
  readonly auditId: string;
  readonly uri: string;
  readonly verb: string;
  /** Undefined if authentication failed. */
  readonly user: UserInfo | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string | undefined;
  readonly object: AuditedObject | undefined;
  /** Milliseconds since the epoch, with a fraction. */
  readonly receivedMs: number;
}

export interface RequestAuditOptions {
  readonly decision: AuditDecision;
  readonly groupSuffix: string;
  /** Takes the JSON of an Event. */
  readonly emit: (event: string) => void;
  readonly nowMs: () => number;
  readonly texts: EventTexts;
}

export class RequestAudit {
  readonly #options: RequestAuditOptions;
  readonly #request: AuditedRequest;
  #object: AuditedObject | undefined;
  #impersonated: UserInfo | undefined;
  #originText: string | undefined;
  #status: Partial<Status> | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #annotations: Record<string, string> | undefined;

  constructor(request: AuditedRequest, options: RequestAuditOptions) {
    this.#request = request;
    this.#object = request.object;
    this.#options = options;
  }

  get level(): AuditLevel {
    return this.#options.decision.level;
  }

  get wantsRequestObject(): boolean {
    return this.level === 'Request' || this.level === 'RequestResponse';
  }

  get wantsResponseObject(): boolean {
    return this.level === 'RequestResponse';
  }

  get omitManagedFields(): boolean {
    return this.#options.decision.omitManagedFields;
  }

  /** The first value of a key stays. */
  annotate(key: string, value: string): void {
    this.#annotations ??= {};
    this.#annotations[key] ??= value;
  }

  /** What authorization decided, and why. */
  decided(isAllowed: boolean, reason = ''): void {
    const { groupSuffix } = this.#options;
    this.annotate(`authorization.${groupSuffix}/decision`, isAllowed ? 'allow' : 'forbid');
    this.annotate(`authorization.${groupSuffix}/reason`, reason);
  }

  /** Authorization failed. */
  notDecided(): void {
    this.annotate(`authorization.${this.#options.groupSuffix}/reason`, 'internal error');
  }

  impersonate(user: UserInfo): void {
    this.#impersonated = user;
    this.#originText = undefined;
  }

  /** Completes the reference to the object, for example by the name of a created one. */
  identify({ namespace, name, uid, resourceVersion }: ObjectIdentity): void {
    const known = this.#object;
    if (known === undefined) return;
    this.#object = {
      ...known,
      namespace: known.namespace || namespace,
      name: known.name || name,
      uid: known.uid || uid,
      resourceVersion: known.resourceVersion || resourceVersion,
    };
  }

  /** JSON. Only if `wantsRequestObject`. */
  set requestObject(json: string) {
    this.#requestObject = json;
  }

  /** JSON. Only if `wantsResponseObject`. */
  set responseObject(json: string) {
    this.#responseObject = json;
  }

  /** Details that are undefined are left out. */
  set status(status: Partial<Status>) {
    this.#status = status;
  }

  reach(stage: AuditStage): void {
    if (this.#options.decision.omitStages.has(stage)) return;
    this.#options.emit(this.#toJson(stage));
  }

  /** Written by hand: it is made twice for each request. */
  #toJson(stage: AuditStage): string {
    const { groupSuffix, nowMs, texts } = this.#options;
    const received = texts.microTime(this.#request.receivedMs);
    const reached = stage === 'RequestReceived' ? received : texts.microTime(nowMs());
    return (
      `{"kind":"Event","apiVersion":"audit.${groupSuffix}/v1","level":"${this.level}",` +
      `"auditID":${JSON.stringify(this.#request.auditId)},"stage":"${stage}",${this.#origin()}` +
      (this.#object === undefined ? '' : `"objectRef":${referenceJson(this.#object)},`) +
      (this.#status === undefined ? '' : `"responseStatus":${statusJson(this.#status)},`) +
      (this.#requestObject === undefined ? '' : `"requestObject":${this.#requestObject},`) +
      (this.#responseObject === undefined ? '' : `"responseObject":${this.#responseObject},`) +
      `"requestReceivedTimestamp":"${received}","stageTimestamp":"${reached}"` +
      (this.#annotations === undefined ? '' : `,"annotations":${JSON.stringify(sortedByKey(this.#annotations))}`) +
      '}'
    );
  }

  /** Members that are the same at each stage, unless the user changes. */
  #origin(): string {
    if (this.#originText !== undefined) return this.#originText;
    const { texts } = this.#options;
    const { uri, verb, user, sourceIps, userAgent } = this.#request;
    return (this.#originText =
      `"requestURI":${JSON.stringify(uri)},"verb":${JSON.stringify(verb)},"user":${user === undefined ? '{}' : texts.userJson(user)},` +
      (this.#impersonated === undefined ? '' : `"impersonatedUser":${texts.userJson(this.#impersonated)},`) +
      (sourceIps.length === 0 ? '' : `"sourceIPs":${JSON.stringify(sourceIps)},`) +
      (userAgent === undefined || userAgent === '' ? '' : `"userAgent":${JSON.stringify(startOf(userAgent))},`));
  }
}

const MAX_USER_AGENT = 1024;
const startOf = (userAgent: string) =>
  userAgent.length > MAX_USER_AGENT ? `${userAgent.slice(0, MAX_USER_AGENT)}...TRUNCATED` : userAgent;

function referenceJson({ resource, namespace, name, uid, group, version, resourceVersion, subresource }: AuditedObject): string {
  const members =
    member('resource', resource) +
    member('namespace', namespace) +
    member('name', name) +
    member('uid', uid) +
    member('apiGroup', group) +
    member('apiVersion', version) +
    member('resourceVersion', resourceVersion) +
    member('subresource', subresource);
  return `{${members.slice(1)}}`;
}

const member = (name: string, value: string | undefined): string =>
  value === undefined || value === '' ? '' : `,"${name}":${JSON.stringify(value)}`;

const statusJson = ({ status, message, reason, details, code }: Partial<Status>): string =>
  JSON.stringify({ metadata: {}, status, message, reason, details, code });
