/**
 * What SARIF 2.1.0 demands of those of its objects that `config check` writes: which members there may be, which there
 * must be, and what they hold. From the text of the specification; the numbers are those of its sections.
 */

type Form =
  | { readonly members: Readonly<Record<string, Form>>; readonly required?: readonly string[] }
  | { readonly each: Form }
  | ((value: unknown) => boolean);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text: Form = (value) => typeof value === 'string' && value !== '';
const positive: Form = (value) => Number.isInteger(value) && Number(value) >= 1;
const oneOf =
  (...values: readonly unknown[]): Form =>
  (value) =>
    values.includes(value);
/** A URI reference of RFC 3986: nothing that must be encoded, and no colon in the first segment of a relative one. */
const uri: Form = (value) =>
  typeof value === 'string' && /^(?:[a-z][a-z0-9+.-]*:|[^:/]*(?:\/|$))(?:%[0-9A-Fa-f]{2}|[^\s%#<>"{}|\\^`])*$/.test(value);

const message: Form = { members: { text }, required: ['text'] }; // 3.11
const level = oneOf('none', 'note', 'warning', 'error'); // 3.27.10

const rule: Form = {
  members: { id: text, shortDescription: message, defaultConfiguration: { members: { level } } },
  required: ['id'],
}; // 3.49

const location: Form = {
  members: {
    physicalLocation: {
      members: {
        artifactLocation: { members: { uri }, required: ['uri'] }, // 3.4
        region: { members: { startLine: positive, startColumn: positive }, required: ['startLine'] }, // 3.30
      },
      required: ['artifactLocation'],
    }, // 3.29
    logicalLocations: { each: { members: { fullyQualifiedName: text } } }, // 3.33
  },
}; // 3.28

const result: Form = {
  members: {
    ruleId: text,
    ruleIndex: (value) => Number.isInteger(value) && Number(value) >= 0,
    message,
    level,
    locations: { each: location },
  },
  required: ['message'],
}; // 3.27

const driver: Form = { members: { name: text, version: text, rules: { each: rule } }, required: ['name'] }; // 3.19

/** 3.13, 3.14 */
export const SARIF_FORM: Form = {
  members: {
    $schema: uri,
    version: oneOf('2.1.0'),
    runs: {
      each: {
        members: {
          tool: { members: { driver }, required: ['driver'] }, // 3.18
          columnKind: oneOf('utf16CodeUnits', 'unicodeCodePoints'), // 3.14.17
          results: { each: result },
        },
        required: ['tool'],
      },
    },
  },
  required: ['version', 'runs'],
};

/** Empty for a value that has the form; else a line for each place that has not. */
export function violationsOf(value: unknown, form: Form, path = ''): string[] {
  if (typeof form === 'function') return form(value) ? [] : [`${path}: ${JSON.stringify(value)}`];
  if ('each' in form) {
    if (!Array.isArray(value)) return [`${path}: no list`];
    return value.flatMap((element: unknown, index) => violationsOf(element, form.each, `${path}/${index}`));
  }
  if (!isObject(value)) return [`${path}: no object`];
  const missing = (form.required ?? []).filter((name) => !(name in value)).map((name) => `${path}/${name}: missing`);
  const found = Object.entries(form.members).flatMap(([name, inner]) =>
    name in value ? violationsOf(value[name], inner, `${path}/${name}`) : [],
  );
  const unknown = Object.keys(value)
    .filter((name) => !(name in form.members))
    .map((name) => `${path}/${name}: unknown`);
  return [...missing, ...found, ...unknown];
}
