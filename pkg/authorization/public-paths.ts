import type { AccessDecision, AccessRules, Authorizer, RuleResolver } from './authorizer.ts';

const PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);
const BELOW = ['/healthz/', '/livez/', '/readyz/'];
const READS: ReadonlySet<string> = new Set(['get', 'head']);

const ALLOW: AccessDecision = { decision: 'allow' };
const NO_OPINION: AccessDecision = { decision: 'noOpinion' };
const RULES: AccessRules = {
  resourceRules: [],
  nonResourceRules: [{ verbs: [...READS], nonResourceURLs: [...PATHS, ...BELOW.map((prefix) => `${prefix}*`)] }],
  incomplete: false,
};

/** Everyone may read health, because probes have no credentials. */
export const publicPathsAuthorizer: Authorizer & RuleResolver = {
  authorize: (request) => (!request.isResource && READS.has(request.verb) && isPublic(request.path) ? ALLOW : NO_OPINION),
  rulesFor: () => RULES,
};

const isPublic = (path: string) => PATHS.has(path) || BELOW.some((prefix) => path.startsWith(prefix));
