/**
 * The syntax of names. Each check returns what is wrong, in Kubernetes' words, or an empty list. All are linear: lengths are bounded
 * or characters are walked once.
 */

/** What is wrong with a text; empty: nothing. */
export type NameCheck = (text: string) => readonly string[];

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;

const tooLong = (max: number) => `must be no more than ${max} bytes`;
const syntax = (rule: string, examples: readonly string[], regex: string) =>
  // The two spaces are Kubernetes' own; clients' tests compare such texts.
  `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${regex}')`;

const LABEL_RULE = syntax(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  ['my-name', '123-abc'],
  '[a-z0-9]([-a-z0-9]*[a-z0-9])?',
);
const LABEL_1035_RULE = syntax(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ['my-name', 'abc-123'],
  '[a-z]([-a-z0-9]*[a-z0-9])?',
);
const SUBDOMAIN_RULE = syntax(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  ['example.com'],
  '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
);
const QUALIFIED_RULE = syntax(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  ['MyName', 'my.name', '123-abc'],
  '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
);
const LABEL_VALUE_RULE = syntax(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  ['MyValue', 'my_value', '12345'],
  '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
);

const byteLength = (text: string) => Buffer.byteLength(text, 'utf8');

/** None of the patterns backtracks over more than one run of characters, so each is linear in the text. */
const check =
  (max: number, pattern: RegExp, rule: string): NameCheck =>
  (text) => {
    if (byteLength(text) > max) return pattern.test(text) ? [tooLong(max)] : [tooLong(max), rule];
    return pattern.test(text) ? [] : [rule];
  };

/** RFC 1123 label. */
export const checkDnsLabel: NameCheck = (text) =>
  checkLabelSyntax(text).map((cause) => (cause === LABEL_RULE && SUBDOMAIN.test(text) ? 'must not contain dots' : cause));
const checkLabelSyntax = check(MAX_LABEL, LABEL, LABEL_RULE);
/** RFC 1035 label: a letter first. */
export const checkDnsLabel1035: NameCheck = check(MAX_LABEL, LABEL_1035, LABEL_1035_RULE);
/** RFC 1123 subdomain. A label inside may exceed 63. */
export const checkDnsSubdomain: NameCheck = check(MAX_SUBDOMAIN, SUBDOMAIN, SUBDOMAIN_RULE);

/** What may stand between two slashes of a path. */
export const checkPathSegment: NameCheck = (text) =>
  text === '.' || text === '..' ? [`may not be '${text}'`] : checkPathSegmentPrefix(text);

/** The beginning of a path segment: more follows. */
export const checkPathSegmentPrefix: NameCheck = (text) =>
  ['/', '%'].filter((forbidden) => text.includes(forbidden)).map((forbidden) => `may not contain '${forbidden}'`);

/** Label keys, finalizers, condition types: an optional subdomain and `/`, then a name. */
export const checkQualifiedName: NameCheck = (text) => {
  const parts = text.split('/', 3);
  const [first = '', second] = parts;
  if (parts.length > 2) {
    return [`a valid label key ${QUALIFIED_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const causes: string[] = [];
  let name = first;
  if (second !== undefined) {
    name = second;
    if (first === '') causes.push('prefix part must be non-empty');
    else causes.push(...checkDnsSubdomain(first).map((cause) => `prefix part ${cause}`));
  }
  if (name === '') causes.push('name part must be non-empty');
  else if (byteLength(name) > MAX_LABEL) causes.push(`name part ${tooLong(MAX_LABEL)}`);
  if (!QUALIFIED.test(name)) causes.push(`name part ${QUALIFIED_RULE}`);
  return causes;
};

/** Empty, or up to 63 characters. */
export const checkLabelValue: NameCheck = (text) => {
  if (text === '') return [];
  return check(MAX_LABEL, QUALIFIED, LABEL_VALUE_RULE)(text);
};

/**
 * A generateName is a name's beginning. A dash at its end is fine, since more follows; it is checked as if the dash were a letter.
 */
export const checkAsPrefix =
  (checkName: NameCheck): NameCheck =>
  (prefix) =>
    checkName(prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix);
