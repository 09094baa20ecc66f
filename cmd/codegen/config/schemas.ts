/**
 * `schemas/config/<Kind>.json` for editors, and `schemas/config/document.json` for files with documents of several
 * kinds. Draft 7, because the YAML language server supports it best. Old names are allowed and marked deprecated; other
 * unknown fields are rejected. Rules across fields are left to `coxswain config check`: a schema must accept everything
 * that it accepts.
 */
import type { ConfigField, ConfigKind, ConfigShape } from '../../../pkg/config/kinds/config-kind.ts';
import type { GeneratedFile } from '../generated-file.ts';
import type { ConfigFacts } from './facts.ts';
import { shapesOf } from './facts.ts';
import { code, defaultIn, defaultText, flagsIn, notesOf } from './notes.ts';
import { selectorSchemas, wordSchemas } from './words.ts';
import type { JsonSchema } from '../json-schema.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const FOLDER = 'schemas/config';
const INT32: JsonSchema = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const DURATION = '(0|([0-9]+(\\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h)|\\.[0-9]+(ns|us|µs|μs|ms|s|m|h))+)$';
const SUFFIX = '\\.[^/]+/';

export function generateConfigSchemas(facts: ConfigFacts): GeneratedFile[] {
  const files = facts.kinds.map((kind) => {
    const writer = new SchemaWriter(facts, kind, (shape) => shape);
    return { path: `${FOLDER}/${kind.kind}.json`, schema: { title: kind.kind, ...writer.document(), definitions: writer.definitions() } };
  });
  // Defaults and controller names differ by kind, so each kind has its own definitions.
  const writers = facts.kinds.map((kind) => ({ kind, writer: new SchemaWriter(facts, kind, (shape) => `${kind.kind}.${shape}`) }));
  const any = {
    path: `${FOLDER}/document.json`,
    schema: {
      title: 'A configuration of a controller manager',
      description: 'Any of the kinds, by `kind`. For files with documents of several kinds.',
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: facts.kinds.flatMap(spelledKinds) } },
      allOf: writers.map(({ kind, writer }) => ({
        if: { properties: { kind: { enum: spelledKinds(kind) } }, required: ['kind'] },
        then: writer.document(),
      })),
      definitions: Object.assign({}, ...writers.map(({ writer }) => writer.definitions())) as JsonSchema,
    },
  };
  return [...files, any].map(({ path, schema }) => ({
    path,
    text: `${JSON.stringify({ $schema: DRAFT, $id: `urn:coxswain:${path}`, ...schema }, undefined, 1)}\n`,
  }));
}

const spelledKinds = ({ kind, oldKind }: ConfigKind): string[] => [kind, ...(oldKind === undefined ? [] : [oldKind])];

/** Writes schemas for one kind of document: defaults and controller names depend on it. */
class SchemaWriter {
  readonly #facts: ConfigFacts;
  readonly #kind: ConfigKind;
  readonly #nameOf: (shape: string) => string;
  readonly #words: ReadonlyMap<string, JsonSchema>;

  constructor(facts: ConfigFacts, kind: ConfigKind, nameOf: (shape: string) => string) {
    this.#facts = facts;
    this.#kind = kind;
    this.#nameOf = nameOf;
    this.#words = new Map([...selectorSchemas(facts, kind.kind), ...wordSchemas(facts)]);
  }

  document(): JsonSchema {
    const [shape] = shapesOf(this.#facts, this.#kind.kind);
    if (shape === undefined) return {};
    const { required = [], ...rest } = this.#object(shape, identity(this.#kind));
    return { ...rest, required: ['apiVersion', 'kind', ...(required as readonly string[])], ...this.#versions(shape) };
  }

  definitions(): JsonSchema {
    const nested = new Map<string, ConfigKind>(this.#facts.kinds.map((kind) => [kind.kind, kind]));
    return Object.fromEntries(
      shapesOf(this.#facts, this.#kind.kind)
        .slice(1)
        .map((shape) => {
          const kind = nested.get(shape.name);
          if (kind === undefined) return [this.#nameOf(shape.name), this.#object(shape, {})];
          // Nested in another kind it is optional, and so are its apiVersion and kind.
          const { required: _required, ...rest } = this.#object(shape, identity(kind));
          return [this.#nameOf(shape.name), { ...rest, ...this.#versions(shape, true) }];
        }),
    );
  }

  /** Forbids fields in the versions without them; requires required ones in the other versions. */
  #versions({ fields }: ConfigShape, isNested = false): JsonSchema {
    const cases = fields.flatMap(({ name, fixedIn = {}, required }) =>
      Object.keys(fixedIn).map((version) => ({
        if: { properties: { apiVersion: { type: 'string', pattern: `/${version}$` } }, required: ['apiVersion'] },
        then: { properties: { [name]: false } },
        ...(required === true && !isNested ? { else: { required: [name] } } : {}),
      })),
    );
    return cases.length === 0 ? {} : { allOf: cases };
  }

  #object({ name: shape, description, fields }: ConfigShape, fixed: JsonSchema): JsonSchema {
    const properties = fields.flatMap((field) => {
      const schema = this.#field(shape, field);
      const old = { ...schema, deprecated: true, description: `The older name of \`${field.name}\`.` };
      return [[field.name, schema], ...(field.oldName === undefined ? [] : [[field.oldName, old]])];
    });
    const required = fields.flatMap((field) => (field.required === true && field.fixedIn === undefined ? [field.name] : []));
    return {
      description,
      type: 'object',
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
      properties: { ...fixed, ...(Object.fromEntries(properties) as JsonSchema) },
    };
  }

  #field(shape: string, field: ConfigField): JsonSchema {
    const fallback = defaultIn(field, this.#kind);
    return {
      description: this.#describe(field),
      ...(field.movedTo === undefined ? {} : { deprecated: true }),
      ...this.#value(shape, field),
      ...(fallback === undefined ? {} : { default: withoutSuffix(fallback) }),
    };
  }

  /** The text that an editor shows for the field. */
  #describe(field: ConfigField): string {
    const { movedTo, description } = field;
    if (movedTo !== undefined) return `Now \`${movedTo}\`.`;
    const fallback = defaultText(field, this.#kind);
    const flags = flagsIn(field, this.#kind);
    return [
      description,
      ...notesOf(field),
      ...(fallback === '' ? [] : [`Default: ${fallback}.`]),
      ...(flags.length === 0 ? [] : [`Flag: ${flags.map(code).join(', ')}.`]),
    ].join(' ');
  }

  /** `null` is allowed: a key without a value means the default. */
  #value(shape: string, { name, type, format, shape: inner = '', minimum, maximum, above, values }: ConfigField): JsonSchema {
    const words = this.#words.get(`${shape}.${name}`) ?? {};
    if (type === 'object') return { anyOf: [{ $ref: this.#ref(inner) }, { type: 'null' }] };
    if (type === 'list')
      return { type: ['array', 'null'], items: inner === '' ? { type: 'string', ...words } : { $ref: this.#ref(inner) } };
    const bounds = { ...(typeof minimum === 'number' ? { minimum } : {}), ...(maximum === undefined ? {} : { maximum }) };
    return {
      type: [type, 'null'],
      ...(format === 'int32' ? INT32 : {}),
      ...bounds,
      ...(format === 'duration' ? { pattern: durationPattern(minimum, above) } : {}),
      ...(values === undefined ? {} : { enum: [...values, null] }),
      ...words,
    };
  }

  #ref(shape: string): string {
    return `#/definitions/${this.#nameOf(shape)}`;
  }
}

/** Any group suffix is allowed: it is a setting of the cluster. */
function identity({ kind, oldKind, group, oldGroup, version, otherVersions = [], furtherVersions = [] }: ConfigKind): JsonSchema {
  const groups = [group, ...(oldGroup === undefined ? [] : [oldGroup])].map((each) => each.replaceAll('.', '\\.'));
  const versions = [version, ...otherVersions, ...furtherVersions];
  return {
    apiVersion: { type: 'string', pattern: `^(${groups.join('|')})${SUFFIX}(${versions.join('|')})$` },
    kind: { type: 'string', enum: [kind, ...(oldKind === undefined ? [] : [oldKind])] },
  };
}

/** A pattern can check the sign and zero, but not a minimum other than 0. */
function durationPattern(minimum: number | string | undefined, above: string | undefined): string {
  if (above !== undefined) return `^(?=.*[1-9])\\+?${DURATION}`;
  return minimum === undefined ? `^[+-]?${DURATION}` : `^(\\+?|-(?=[^1-9]*$))${DURATION}`;
}

/** Omits a default that includes the group suffix: it is unknown here, and editors would insert the placeholder. */
function withoutSuffix(value: unknown): unknown {
  return JSON.stringify(value).includes('{group_suffix}') ? undefined : value;
}
