/** How two answers to the same request differ. */
import type { Outcome } from './outcome.ts';
import { isList, isObject, memberOf, toText, type Tree } from './tree.ts';

export interface Difference {
  /** What differs; the same mistake has the same text for every object: `cause Invalid spec.ports[*].name`. */
  readonly summary: string;
  readonly reference: Tree | undefined;
  readonly own: Tree | undefined;
}

/** Empty: none. What follows from another difference is left out. */
export function compareOutcomes(reference: Outcome, own: Outcome): readonly Difference[] {
  if (reference.code !== own.code) {
    const refusal = reference.code >= 400 ? reference : own;
    const summary = `code ${reference.code} → ${own.code}: ${refusalText(refusal)}`;
    return [{ summary, reference: shortBody(reference), own: shortBody(own) }];
  }
  return [
    ...contentTypes(reference, own),
    ...setDifferences('warning', reference.warnings.map(general), own.warnings.map(general), reference.warnings, own.warnings),
    ...(reference.code >= 400 ? refusals(reference.body, own.body) : trees(reference.body, own.body, '')),
  ];
}

const contentTypes = (reference: Outcome, own: Outcome): readonly Difference[] =>
  reference.contentType === own.contentType
    ? []
    : [{ summary: `content type ${reference.contentType} → ${own.contentType}`, reference: reference.contentType, own: own.contentType }];

const MAX_SHOWN = 3;

function refusalText({ body }: Outcome): string {
  const causes = causesOf(body).map(causeName);
  if (causes.length > 0) return [...new Set(causes)].sort().slice(0, MAX_SHOWN).join(', ');
  return general(textOf(memberOf(body, 'message')));
}

const shortBody = ({ body }: Outcome): Tree => (memberOf(body, 'kind') === 'Status' ? (memberOf(body, 'message') ?? null) : '(no Status)');

function refusals(reference: Tree, own: Tree): readonly Difference[] {
  if (!isObject(reference) || !isObject(own)) return trees(reference, own, 'body');
  const names = (tree: Tree) => causesOf(tree).map(causeName);
  const texts = (tree: Tree) => causesOf(tree).map((cause) => `${causeName(cause)}: ${textOf(memberOf(cause, 'message'))}`);
  const causes = setDifferences('cause', names(reference), names(own), texts(reference), texts(own));
  if (causes.length > 0) return causes;
  const messages = setDifferences('cause', texts(reference).map(general), texts(own).map(general), texts(reference), texts(own));
  if (messages.length > 0) return messages;
  const { causes: _, ...rest } = asMembers(memberOf(reference, 'details'));
  const { causes: __, ...ownRest } = asMembers(memberOf(own, 'details'));
  return [
    ...member('reason', reference, own),
    ...member('message', reference, own),
    ...trees(rest, ownRest, 'details'),
    ...member('metadata', reference, own),
  ];
}

const asMembers = (tree: Tree | undefined) => (isObject(tree) ? tree : {});

function member(name: string, reference: Tree, own: Tree): readonly Difference[] {
  const [expected, got] = [memberOf(reference, name), memberOf(own, name)];
  if (same(expected, got)) return [];
  return [{ summary: `${name} ${general(textOf(expected))} → ${general(textOf(got))}`, reference: expected, own: got }];
}

/** `summaries` decide whether the sets differ; `texts` are shown. */
function setDifferences(
  topic: string,
  reference: readonly string[],
  own: readonly string[],
  referenceTexts: readonly string[],
  ownTexts: readonly string[],
): readonly Difference[] {
  const missing = [...new Set(reference)].filter((text) => !own.includes(text)).sort();
  const extra = [...new Set(own)].filter((text) => !reference.includes(text)).sort();
  if (missing.length + extra.length === 0) return [];
  const parts = [...missing.slice(0, MAX_SHOWN).map((text) => `- ${text}`), ...extra.slice(0, MAX_SHOWN).map((text) => `+ ${text}`)];
  return [{ summary: `${topic} ${parts.join(' ')}`, reference: referenceTexts, own: ownTexts }];
}

/** Of objects, lists and tables: where they begin to differ. */
function trees(reference: Tree | undefined, own: Tree | undefined, at: string): readonly Difference[] {
  if (same(reference, own)) return [];
  const kinds = [reference, own].map((tree) => textOf(memberOf(tree, 'kind')));
  if (at === '' && kinds[0] !== kinds[1]) return [{ summary: `kind ${kinds.join(' → ')}`, reference, own }];
  if (isObject(reference) && isObject(own)) {
    const names = [...new Set([...Object.keys(reference), ...Object.keys(own)])];
    return unique(names.flatMap((name) => trees(memberOf(reference, name), memberOf(own, name), at === '' ? name : `${at}.${name}`)));
  }
  if (isList(reference) && isList(own) && reference.length === own.length) {
    return unique(reference.flatMap((element, index) => trees(element, own[index], `${at}[*]`)));
  }
  return [{ summary: `object ${at}: ${kindOf(reference)} → ${kindOf(own)}`, reference, own }];
}

const unique = (differences: readonly Difference[]): readonly Difference[] => [
  ...new Map(differences.map((difference) => [difference.summary, difference])).values(),
];

function kindOf(tree: Tree | undefined): string {
  if (tree === undefined) return 'absent';
  if (tree === null) return 'null';
  if (isList(tree)) return `list of ${tree.length}`;
  return typeof tree;
}

/** The order of members does not count. */
export function same(a: Tree | undefined, b: Tree | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((element, index) => same(element, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

const causesOf = (status: Tree): readonly Tree[] => {
  const causes = memberOf(memberOf(status, 'details'), 'causes');
  return isList(causes) ? causes : [];
};

const causeName = (cause: Tree): string =>
  `${textOf(memberOf(cause, 'reason')).replace('FieldValue', '')} ${withoutKeys(textOf(memberOf(cause, 'field')))}`.trim();

const withoutKeys = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, '[*]');

/** The message of many objects: without what they quote, and without numbers. */
const general = (text: string): string =>
  withoutKeys(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"*"'))
    .replaceAll(/\d+/g, 'N')
    .slice(0, 400);

const textOf = (tree: Tree | undefined): string => (typeof tree === 'string' ? tree : tree === undefined ? '' : toText(tree));
