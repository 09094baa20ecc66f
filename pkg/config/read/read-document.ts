/**
 * Reads one document by the tables of its kind. Unknown, repeated and mistyped fields become problems and are omitted.
 * Rules and defaults do not depend on the notation.
 */
import type { ConfigField, ConfigKind, ConfigShape } from '../kinds/config-kind.ts';
import type { Severity } from '../problem.ts';
import type { SourceKey, SourceMap, SourceNode, SourceScalar, Span } from '../source/source-node.ts';
import { fieldNamed, fieldOfFlag, pathsOfFieldsNamed, shapeNamed } from './field-names.ts';
import { apiVersionOf, kindNamed, kindNames, parseApiVersion } from './type-meta.ts';
import { MAX_SUGGESTIONS, nearestName } from './nearest-name.ts';
import { describeNode, readScalar, shortened } from './read-scalar.ts';

/** A problem with an offset instead of a position. */
export interface OffsetProblem {
  readonly path: string;
  readonly at: number;
  readonly severity: Severity;
  readonly reason: string;
  readonly message: string;
}

/** A name, or the value of `kind` or `apiVersion`, that has another spelling. */
export interface Spelling extends Span {
  readonly path: string;
  /** Undefined if it cannot be replaced: with an anchor or tag, via an alias or merge key, or a block scalar. */
  readonly quote: SourceKey['quote'];
  readonly current: string;
  readonly old: string;
  readonly isOld: boolean;
}

export interface ReadDocument {
  readonly kind: ConfigKind;
  /** The suffix of the group; undefined if the apiVersion is invalid. */
  readonly suffix: string | undefined;
  /** The values of the file under current names; durations are canonical. */
  readonly values: FieldValues;
  /** The span of each value in the file, by path. The document has the path `''`. */
  readonly spans: ReadonlyMap<string, Span>;
  /** Paths of invalid values, and of the values that contain them. */
  readonly broken: ReadonlySet<string>;
  readonly spellings: readonly Spelling[];
  readonly problems: readonly OffsetProblem[];
}

export type FieldValues = Record<string, unknown>;

export interface ReadOptions {
  /** The only accepted group suffix. Default: any. */
  readonly groupSuffix?: string;
  /** The line of an offset. */
  readonly lineOf: (offset: number) => number;
}

/** Without `document` if the kind is unknown; then there are problems. */
export function readDocument(
  root: SourceNode,
  options: ReadOptions,
): { readonly document?: ReadDocument; readonly problems: readonly OffsetProblem[] } {
  return new DocumentReader(options).read(root);
}

const TYPE_META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** `Port:10252`, which YAML parses as a string. */
const COLON_ALONE = /^\w+:\w/;

const textOf = (node: SourceNode): string => (node.type === 'string' ? node.text : '');

/** The kind in which clusters often store such files. */
const WRAPPER = 'ConfigMap';

function hintForKind(node: SourceNode): string {
  const name = textOf(node);
  if (name === WRAPPER) return 'check each file in its data separately';
  const near = nearestName(name, kindNames());
  return near === undefined ? `known are ${kindNames().join(', ')}` : `did you mean ${near}?`;
}

/** For a list without a shape. */
const LIST_ELEMENT: ConfigField = { name: '', description: '', type: 'string' };

class DocumentReader {
  readonly #options: ReadOptions;
  readonly #problems: OffsetProblem[] = [];
  readonly #spans = new Map<string, Span>();
  readonly #broken = new Set<string>();
  readonly #spellings: Spelling[] = [];
  #kind: ConfigKind | undefined;
  #suffix: string | undefined;
  #suggestions = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  read(root: SourceNode): { readonly document?: ReadDocument; readonly problems: readonly OffsetProblem[] } {
    const problems = this.#problems;
    if (root.type !== 'map') {
      this.#error('', root.start, 'WrongType', `the document must be an object with apiVersion and kind, not ${describeNode(root)}`);
      return { problems };
    }
    this.#spans.set('', root);
    const kind = this.#readKind(root);
    if (kind === undefined) return { problems };
    this.#kind = kind;
    const version = this.#readApiVersion(root, kind, '', true);
    const values = this.#fields(root, shapeNamed(kind.kind), '', version);
    this.#moveFields(values, shapeNamed(kind.kind), '', values);
    const document = {
      kind,
      suffix: this.#suffix,
      values,
      spans: this.#spans,
      broken: this.#broken,
      spellings: this.#spellings,
      problems,
    };
    return { document, problems };
  }

  #readKind(root: SourceMap): ConfigKind | undefined {
    const value = root.entries.find(({ key }) => key.text === 'kind')?.value;
    if (value === undefined) {
      this.#error('', root.start, 'UnknownKind', `the document has no kind; known are ${kindNames().join(', ')}`);
      return undefined;
    }
    const named = value.type === 'string' ? kindNamed(value.text) : undefined;
    if (named === undefined || value.type !== 'string') {
      this.#error('kind', value.start, 'UnknownKind', `${describeNode(value)} is not a known kind; ${hintForKind(value)}`);
      return undefined;
    }
    this.#spellKind(value, named.kind, 'kind', named.isOld);
    return named.kind;
  }

  #spellKind(value: SourceScalar, { kind, oldKind }: ConfigKind, path: string, isOld: boolean): void {
    this.#spans.set(path, value);
    if (oldKind !== undefined) this.#spelling(path, value, { current: kind, old: oldKind, isOld });
    if (isOld) this.#warn(path, value.start, 'OldSpelling', `${value.text} is the older name of ${kind}`);
  }

  /** Returns the version; that of the kind if it is invalid. */
  #readApiVersion(map: SourceMap, kind: ConfigKind, within: string, isDocument: boolean): string {
    const path = `${within}apiVersion`;
    const value = map.entries.find(({ key }) => key.text === 'apiVersion')?.value;
    const { groupSuffix } = this.#options;
    const example = apiVersionOf(kind, groupSuffix ?? this.#suffix ?? '<suffix>');
    if (value === undefined || value.type === 'null') {
      if (isDocument) this.#error('', map.start, 'WrongApiVersion', `the document has no apiVersion; it is ${example}`);
      return kind.version;
    }
    const read = value.type === 'string' ? parseApiVersion(kind, value.text) : undefined;
    if (read === undefined || value.type !== 'string') {
      this.#error(path, value.start, 'WrongApiVersion', `${describeNode(value)} is not that of a ${kind.kind}, ${example}`);
      return kind.version;
    }
    if (groupSuffix !== undefined && read.suffix !== groupSuffix) {
      this.#error(path, value.start, 'WrongApiVersion', `the suffix of the group is ${read.suffix}, not ${groupSuffix}`);
    }
    if (isDocument) this.#suffix = read.suffix;
    this.#spans.set(path, value);
    this.#spelling(path, value, read);
    if (read.isOld) this.#warn(path, value.start, 'OldSpelling', `${value.text} is the older form of ${read.current}`);
    return read.version;
  }

  /** `documentVersion` is absent for nested objects. */
  #fields(map: SourceMap, shape: ConfigShape, within: string, documentVersion?: string): FieldValues {
    const values: FieldValues = {};
    const seen = new Map<string, SourceKey>();
    const nested = documentVersion === undefined ? kindNamed(shape.name)?.kind : undefined;
    const version = nested === undefined ? documentVersion : this.#readNestedTypeMeta(map, nested, within);
    for (const { key, value } of map.entries) {
      const identity = version !== undefined && TYPE_META_FIELDS.has(key.text);
      const found = identity ? undefined : fieldNamed(shape, key.text);
      if (!identity && found === undefined) {
        this.#unknown(shape, key, within);
        continue;
      }
      const name = found?.field.name ?? key.text;
      const path = `${within}${name}`;
      const first = seen.get(name);
      if (first !== undefined) {
        const spelled = first.text === key.text ? '' : `, as ${first.text}`;
        this.#error(path, key.start, 'DuplicateField', `is already set in line ${this.#options.lineOf(first.start)}${spelled}`);
        continue;
      }
      seen.set(name, key);
      if (found === undefined) continue;
      const fixed = fixedValue(found.field, version);
      if (fixed !== undefined) {
        this.#error(path, key.start, 'UnknownField', `is not a field of version ${version ?? ''}, where it is always ${fixed}`);
        continue;
      }
      if (found.field.oldName !== undefined) {
        this.#spelling(path, key, { current: name, old: found.field.oldName, isOld: found.isOld });
        if (found.isOld) this.#warn(path, key.start, 'OldSpelling', `${key.text} is the older name of ${name}`);
      }
      const read = this.#value(found.field, value, path);
      if (read !== undefined) values[name] = read;
    }
    for (const field of shape.fields) {
      const fixed = fixedValue(field, version);
      if (fixed !== undefined) values[field.name] = fixed;
    }
    return values;
  }

  /** `kind` and `apiVersion` are optional in a nested kind. */
  #readNestedTypeMeta(map: SourceMap, kind: ConfigKind, within: string): string {
    const value = map.entries.find(({ key }) => key.text === 'kind')?.value;
    const named = value?.type === 'string' ? kindNamed(value.text) : undefined;
    if (value !== undefined && value.type !== 'null' && named?.kind !== kind) {
      this.#error(`${within}kind`, value.start, 'UnknownKind', `${describeNode(value)} is not ${kind.kind}`);
    }
    return this.#readApiVersion(map, kind, within, false);
  }

  #unknown(shape: ConfigShape, key: SourceKey, within: string): void {
    const path = `${within}${shortened(key.text)}`;
    const hint = ++this.#suggestions > MAX_SUGGESTIONS ? '' : this.#suggestion(shape, key.text);
    this.#error(path, key.start, 'UnknownField', `is not a field of ${shape.name}${hint}`);
  }

  #suggestion({ fields }: ConfigShape, name: string): string {
    const spellings = new Map(fields.flatMap((field) => [field.name, field.oldName ?? field.name].map((each) => [each, field.name])));
    const near = nearestName(name, spellings.keys());
    const isNextToIt = near?.toLowerCase() === name.toLowerCase();
    const flagged = this.#kind === undefined || isNextToIt ? undefined : fieldOfFlag(this.#kind.kind, name);
    if (flagged !== undefined) return `; the flag ${flagged.flag} is ${flagged.path} here`;
    const [elsewhere] = this.#kind === undefined || isNextToIt ? [] : pathsOfFieldsNamed(this.#kind.kind, name);
    if (elsewhere !== undefined) return `; did you mean ${elsewhere}?`;
    return near === undefined ? '' : `; did you mean ${spellings.get(near) ?? near}?`;
  }

  /** Undefined if the value is not set or invalid. */
  #value(field: ConfigField, node: SourceNode, path: string): unknown {
    // As in Go's JSON decoder, null means not set.
    if (node.type === 'null') return undefined;
    switch (field.type) {
      case 'object':
        return this.#object(field, node, path);
      case 'list':
        return this.#list(field, node, path);
      default:
        return this.#scalar(field, node, path);
    }
  }

  #object({ shape }: ConfigField, node: SourceNode, path: string): FieldValues | undefined {
    if (node.type !== 'map') {
      this.#wrongType(path, node, 'an object');
      return undefined;
    }
    this.#spans.set(path, node);
    return this.#fields(node, shapeNamed(shape), `${path}.`);
  }

  #list(field: ConfigField, node: SourceNode, path: string): unknown {
    if (node.type !== 'list') {
      this.#wrongType(path, node, 'a list');
      return undefined;
    }
    this.#spans.set(path, node);
    const before = this.#broken.size;
    const values = node.elements.map((element, index) => {
      const at = `${path}[${index}]`;
      return field.shape === undefined ? this.#scalar(LIST_ELEMENT, element, at) : this.#object(field, element, at);
    });
    // Without one of its elements a list would have another meaning.
    return this.#broken.size > before ? undefined : values;
  }

  #scalar(field: ConfigField, node: SourceNode, path: string): unknown {
    const read = readScalar(field, node);
    if ('value' in read) {
      this.#spans.set(path, node);
      return read.value;
    }
    this.#markBroken(path);
    this.#error(path, node.start, read.reason, read.message);
    return undefined;
  }

  #wrongType(path: string, node: SourceNode, expected: string): void {
    this.#markBroken(path);
    this.#error(
      path,
      node.start,
      'WrongType',
      `must be ${expected}, not ${describeNode(node)}${COLON_ALONE.test(textOf(node)) ? '; a space is missing after the colon' : ''}`,
    );
  }

  /** Marks the value at `path` and everything that contains it. */
  #markBroken(path: string): void {
    for (let at = path; at !== ''; at = parentOf(at)) this.#broken.add(at);
  }

  /** Moves fields of older files to their current place. */
  #moveFields(values: FieldValues, shape: ConfigShape, within: string, document: FieldValues): void {
    for (const field of shape.fields) {
      const path = `${within}${field.name}`;
      const value = values[field.name];
      if (value === undefined) continue;
      if (field.type === 'object' && isValues(value)) this.#moveFields(value, shapeNamed(field.shape), `${path}.`, document);
      if (field.movedTo === undefined) continue;
      const span = this.#spans.get(path) ?? { start: 0, end: 0 };
      const isTaken = this.#spans.has(field.movedTo);
      this.#warn(path, span.start, 'OldSpelling', `is ${field.movedTo} now${isTaken ? ', which is also set and takes precedence' : ''}`);
      this.#spans.delete(path);
      values[field.name] = undefined;
      if (isTaken) continue;
      this.#spans.set(field.movedTo, span);
      setAt(document, field.movedTo.split('.'), value);
    }
  }

  #spelling(
    path: string,
    { start, end, quote }: SourceKey | SourceScalar,
    { current, old, isOld }: Pick<Spelling, 'current' | 'old' | 'isOld'>,
  ): void {
    this.#spellings.push({ path, start, end, quote, current, old, isOld });
  }

  #error(path: string, at: number, reason: string, message: string): void {
    this.#problems.push({ path, at, severity: 'error', reason, message });
  }

  #warn(path: string, at: number, reason: string, message: string): void {
    this.#problems.push({ path, at, severity: 'warning', reason, message });
  }
}

const fixedValue = ({ fixedIn }: ConfigField, version: string | undefined): string | undefined =>
  version !== undefined && fixedIn !== undefined && Object.hasOwn(fixedIn, version) ? fixedIn[version] : undefined;

const isValues = (value: unknown): value is FieldValues => typeof value === 'object' && value !== null && !Array.isArray(value);

function setAt(values: FieldValues, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    values[name] = value;
    return;
  }
  const inner = values[name];
  const into = isValues(inner) ? inner : {};
  values[name] = into;
  setAt(into, rest, value);
}

/** The parent of `Generic.Controllers[2]` is `Generic.Controllers`, then `Generic`, then `''`. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0));
}
