/**
 * The audit of one request: collects what is known of it and writes an Event of audit/v1 at each stage. Fields, their
 * order and their values are those of Kubernetes.
 */
import type { Status } from '../apimachinery/status/status-error.ts';
import type { UserInfo } from '../authentication/authenticator.ts';
import type { AuditDecision, AuditLevel, AuditStage } from './policy.ts';
import { sortedByKey, type UserTexts } from './user-texts.ts';

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
  readonly users: UserTexts;
}

export class RequestAudit {
  readonly #options: RequestAuditOptions;
  readonly #request: AuditedRequest;
  #object: AuditedObject | undefined;
  #impersonated: UserInfo | undefined;
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

  impersonate(user: UserInfo): void {
    this.#impersonated = user;
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

  #toJson(stage: AuditStage): string {
    const { groupSuffix, nowMs, users } = this.#options;
    const { auditId, uri, verb, user, sourceIps, userAgent, receivedMs } = this.#request;
    const received = toMicroTime(receivedMs);
    const fields = [
      `"level":"${this.level}"`,
      `"auditID":${JSON.stringify(auditId)}`,
      `"stage":"${stage}"`,
      `"requestURI":${JSON.stringify(uri)}`,
      `"verb":${JSON.stringify(verb)}`,
      `"user":${user === undefined ? '{}' : users.jsonOf(user)}`,
    ];
    if (this.#impersonated !== undefined) fields.push(`"impersonatedUser":${users.jsonOf(this.#impersonated)}`);
    if (sourceIps.length > 0) fields.push(`"sourceIPs":${JSON.stringify(sourceIps)}`);
    if (userAgent !== undefined && userAgent !== '') fields.push(`"userAgent":${JSON.stringify(startOf(userAgent))}`);
    if (this.#object !== undefined) fields.push(`"objectRef":${referenceJson(this.#object)}`);
    if (this.#status !== undefined) fields.push(`"responseStatus":${statusJson(this.#status)}`);
    if (this.#requestObject !== undefined) fields.push(`"requestObject":${this.#requestObject}`);
    if (this.#responseObject !== undefined) fields.push(`"responseObject":${this.#responseObject}`);
    fields.push(`"requestReceivedTimestamp":"${received}"`);
    fields.push(`"stageTimestamp":"${stage === 'RequestReceived' ? received : toMicroTime(nowMs())}"`);
    if (this.#annotations !== undefined) fields.push(`"annotations":${JSON.stringify(sortedByKey(this.#annotations))}`);
    return `{"kind":"Event","apiVersion":"audit.${groupSuffix}/v1",${fields.join(',')}}`;
  }
}

const MAX_USER_AGENT = 1024;
const startOf = (userAgent: string) =>
  userAgent.length > MAX_USER_AGENT ? `${userAgent.slice(0, MAX_USER_AGENT)}...TRUNCATED` : userAgent;

function referenceJson({ resource, namespace, name, uid, group, version, resourceVersion, subresource }: AuditedObject): string {
  const members = { resource, namespace, name, uid, apiGroup: group, apiVersion: version, resourceVersion, subresource };
  return JSON.stringify(members, (_, value: unknown) => (value === '' ? undefined : value));
}

const statusJson = ({ status, message, reason, details, code }: Partial<Status>): string =>
  JSON.stringify({ metadata: {}, status, message, reason, details, code });

/** RFC 3339 in UTC with six digits. */
function toMicroTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.floor((ms - whole) * 1000);
  return new Date(whole).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
