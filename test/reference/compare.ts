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
    const refusals = [reference, own].filter(({ code }) => code >= 400).map(refusalText);
    const summary = `code ${reference.code} → ${own.code}: ${refusals.join('; ')}`;
    return [{ summary, reference: shortBody(reference), own: shortBody(own) }];
  }
  return [
    ...contentTypes(reference, own),
    // Kubernetes may answer 406 to a write that it has done.
    ...(reference.code === 406 ? [] : setDifference('warning', reference.warnings, own.warnings, general)),
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
  if (causes.length > 0) return shown(causes.map(withoutKeys)).join(', ');
  return general(textOf(memberOf(body, 'message')));
}

const shortBody = ({ body }: Outcome): Tree => (memberOf(body, 'kind') === 'Status' ? (memberOf(body, 'message') ?? null) : '(no Status)');

function refusals(reference: Tree, own: Tree): readonly Difference[] {
  if (!isObject(reference) || !isObject(own)) return trees(reference, own, 'body');
  const [causes, ownCauses] = [causeTexts(reference), causeTexts(own)];
  const names = setDifference('cause', [...causes.keys()], [...ownCauses.keys()], withoutKeys);
  // Without causes the message alone says what was refused.
  const withoutCauses = causes.size === 0 ? reference : ownCauses.size === 0 ? own : undefined;
  const why = withoutCauses === undefined ? '' : `; ${general(textOf(memberOf(withoutCauses, 'message')))}`;
  if (names.length > 0) return names.map((each) => ({ ...each, summary: each.summary + why }));
  const texts = [...causes].flatMap(([name, messages]) => causeMessages(name, messages, ownCauses.get(name) ?? []));
  if (texts.length > 0) return texts;
  // The message repeats the causes, whose order is left to each server.
  const { causes: _, ...rest } = asMembers(memberOf(reference, 'details'));
  const { causes: __, ...ownRest } = asMembers(memberOf(own, 'details'));
  return [
    ...member('reason', reference, own),
    ...(causes.size > 0 ? [] : member('message', reference, own)),
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

/** One difference for all elements that only one of the two has. */
function setDifference(
  topic: string,
  reference: readonly string[],
  own: readonly string[],
  toSummary: (text: string) => string,
): readonly Difference[] {
  const missing = reference.filter((text) => !own.includes(text)).map(toSummary);
  const extra = own.filter((text) => !reference.includes(text)).map(toSummary);
  if (missing.length + extra.length === 0) return [];
  const parts = [...shown(missing).map((text) => `- ${text}`), ...shown(extra).map((text) => `+ ${text}`)];
  return [{ summary: `${topic} ${parts.join(' ')}`, reference, own }];
}

const shown = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort().slice(0, MAX_SHOWN);

/** The messages of causes with the same reason and field, in the order in which they came. */
function causeMessages(name: string, reference: readonly string[], own: readonly string[]): readonly Difference[] {
  const [missing, extra] = [reference.filter((text) => !own.includes(text)), own.filter((text) => !reference.includes(text))];
  return Array.from({ length: Math.max(missing.length, extra.length) }, (_, index) => ({
    summary: `message of ${withoutKeys(name)}: ${general(missing[index] ?? '')} → ${general(extra[index] ?? '')}`,
    reference: missing[index],
    own: extra[index],
  }));
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
  `${textOf(memberOf(cause, 'reason')).replace('FieldValue', '')} ${textOf(memberOf(cause, 'field'))}`.trim();

/** Messages by the name of their cause. */
function causeTexts(status: Tree): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const cause of causesOf(status)) {
    const name = causeName(cause);
    texts.set(name, [...new Set([...(texts.get(name) ?? []), textOf(memberOf(cause, 'message'))])]);
  }
  return texts;
}

const withoutKeys = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, '[*]');

/** The message of many objects: without what they quote, without JSON, and without numbers. */
const general = (text: string): string =>
  text
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"*"')
    .replaceAll(/\{.*\}/gs, '{}')
    .replaceAll(/\[[^\]]*\]/g, '[*]')
    .replaceAll(/\d+/g, 'N')
    .slice(0, 400);

const textOf = (tree: Tree | undefined): string => (typeof tree === 'string' ? tree : tree === undefined ? '' : toText(tree));
