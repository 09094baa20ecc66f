/** The syntax of names. Checks return errors in Kubernetes' wording. All run in linear time. */

/** Returns the errors; empty if the text is valid. */
export type NameCheck = (text: string) => readonly string[];

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const ENV_VAR = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const PRINTABLE_WITHOUT_EQUALS = /^[ -<>-~]+$/;
const CONFIG_MAP_KEY = /^[-._a-zA-Z0-9]+$/;
const PORT_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const PORT_CHARACTERS = /^[-a-z0-9]+$/;
const LETTER = /[a-z]/;
const HTTP_HEADER = /^[-A-Za-z0-9]+$/;

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;
const MAX_PORT_NAME = 15;
const VALID: readonly string[] = [];

/** The limit is in bytes; Kubernetes says so for label keys and values only. */
type Unit = 'characters' | 'bytes';
const tooLong = (max: number, unit: Unit) => `must be no more than ${max} ${unit}`;
const syntax = (rule: string, examples: readonly string[], regex: string) =>
  // The two spaces are in Kubernetes' messages too; client tests compare them.
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
const ENV_VAR_RULE = syntax(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
  '[-._a-zA-Z][-._a-zA-Z0-9]*',
);
const RELAXED_ENV_VAR_RULE = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const CONFIG_MAP_KEY_RULE = syntax(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  ['key.name', 'KEY_NAME', 'key-name'],
  '[-._a-zA-Z0-9]+',
);
const HTTP_HEADER_RULE = syntax("a valid HTTP header must consist of alphanumeric characters or '-'", ['X-Header-Name'], '[-A-Za-z0-9]+');

const byteLength = (text: string) => Buffer.byteLength(text, 'utf8');

/** Each pattern backtracks over at most one run of characters, so matching is linear. */
const check =
  (max: number, pattern: RegExp, rule: string, unit: Unit = 'characters'): NameCheck =>
  (text) => {
    if (byteLength(text) > max) return pattern.test(text) ? [tooLong(max, unit)] : [tooLong(max, unit), rule];
    return pattern.test(text) ? [] : [rule];
  };

/** RFC 1123 label. */
export const checkDnsLabel: NameCheck = (text) =>
  checkLabelSyntax(text).map((cause) => (cause === LABEL_RULE && SUBDOMAIN.test(text) ? 'must not contain dots' : cause));
const checkLabelSyntax = check(MAX_LABEL, LABEL, LABEL_RULE);
/** RFC 1035 label: starts with a letter. */
export const checkDnsLabel1035: NameCheck = check(MAX_LABEL, LABEL_1035, LABEL_1035_RULE);
/** RFC 1123 subdomain. Labels in it may exceed 63 characters. */
export const checkDnsSubdomain: NameCheck = check(MAX_SUBDOMAIN, SUBDOMAIN, SUBDOMAIN_RULE);
const checkSubdomainBytes = check(MAX_SUBDOMAIN, SUBDOMAIN, SUBDOMAIN_RULE, 'bytes');

/** A segment of a URL path. */
export const checkPathSegment: NameCheck = (text) =>
  text === '.' || text === '..' ? [`may not be '${text}'`] : checkPathSegmentPrefix(text);

/** Request paths cannot contain NUL, so an object with NUL in its name could not be read or deleted. */
export const checkPathSegmentPrefix: NameCheck = (text) =>
  ['/', '%', '\0']
    .filter((forbidden) => text.includes(forbidden))
    .map((forbidden) => `may not contain '${forbidden}'`.replace('\0', '\\x00'));

/** Label keys, finalizers and condition types: an optional subdomain and `/`, then a name. */
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
    else causes.push(...checkSubdomainBytes(first).map((cause) => `prefix part ${cause}`));
  }
  if (name === '') causes.push('name part must be non-empty');
  else if (byteLength(name) > MAX_LABEL) causes.push(`name part ${tooLong(MAX_LABEL, 'bytes')}`);
  if (!QUALIFIED.test(name)) causes.push(`name part ${QUALIFIED_RULE}`);
  return causes;
};

/** Like label keys, but with upper-case letters even before the slash. */
export const checkAnnotationKey: NameCheck = (text) => checkQualifiedName(text.toLowerCase());

/** Empty, or up to 63 characters. */
export const checkLabelValue: NameCheck = (text) => {
  if (text === '') return [];
  return check(MAX_LABEL, QUALIFIED, LABEL_VALUE_RULE, 'bytes')(text);
};

/** RFC 1123 subdomain in upper or lower case, as in driver names. */
export const checkDnsSubdomainCaseless: NameCheck = (text) => checkDnsSubdomain(text.toLowerCase());

/** Environment variable names that are valid in a shell. */
export const checkEnvVarName: NameCheck = (text) => [...(ENV_VAR.test(text) ? [] : [ENV_VAR_RULE]), ...parentFolderErrors(text)];

/** Environment variable names that a process can have. */
export const checkRelaxedEnvVarName: NameCheck = (text) => {
  if (PRINTABLE_WITHOUT_EQUALS.test(text)) return VALID;
  return [text === '' ? 'environment variable name must be non-empty' : RELAXED_ENV_VAR_RULE];
};

/** Keys of ConfigMaps and Secrets, which become file names. */
export const checkConfigMapKey: NameCheck = (text) => {
  const isLong = byteLength(text) > MAX_SUBDOMAIN;
  if (!isLong && !text.startsWith('.') && CONFIG_MAP_KEY.test(text)) return VALID;
  return [
    ...(isLong ? [tooLong(MAX_SUBDOMAIN, 'characters')] : []),
    ...(CONFIG_MAP_KEY.test(text) ? [] : [CONFIG_MAP_KEY_RULE]),
    ...parentFolderErrors(text),
  ];
};

/** Port names of containers and services. */
export const checkPortName: NameCheck = (text) => {
  const isLong = byteLength(text) > MAX_PORT_NAME;
  if (!isLong && PORT_NAME.test(text) && LETTER.test(text)) return VALID;
  return [
    ...(isLong ? [tooLong(MAX_PORT_NAME, 'characters')] : []),
    ...(PORT_CHARACTERS.test(text) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(LETTER.test(text) ? [] : ['must contain at least one letter (a-z)']),
    ...(text.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(text.startsWith('-') || text.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
  ];
};

/** HTTP header names in probes. */
export const checkHttpHeaderName: NameCheck = (text) => (HTTP_HEADER.test(text) ? VALID : [HTTP_HEADER_RULE]);

function parentFolderErrors(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`must not be '${text}'`];
  return text.startsWith('..') ? ["must not start with '..'"] : VALID;
}

/** Checks a generateName. A dash at its end is valid, since more characters follow, so it is checked as a letter. */
export const checkAsPrefix =
  (checkName: NameCheck): NameCheck =>
  (prefix) =>
    checkName === checkPathSegment
      ? checkPathSegmentPrefix(prefix)
      : checkName(prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix);
