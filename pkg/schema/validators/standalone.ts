/**
 * Compiles the schemas of the internal validators to source code, because Ajv is too slow for requests. Used only by
 * `make generate`; the server loads the result, `validators.gen.ts`.
 */
import { Ajv, Name, _ } from 'ajv';
import type { AnySchemaObject, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { ScalarShape } from '../../apis/type-shape.ts';
import type * as checks from '../scalar-checks.ts';

type Scalar = ScalarShape['shape'];

/** The function of `scalar-checks.ts` for each scalar that needs more than `typeof`. */
const CHECKS: Readonly<Record<Exclude<Scalar, 'string' | 'boolean' | 'any'>, keyof typeof checks>> = {
  int32: 'isInt32',
  int64: 'isInt64',
  number: 'isNumber',
  bytes: 'isBytes',
  time: 'isTime',
  'micro-time': 'isMicroTime',
  duration: 'isDuration',
  quantity: 'isQuantity',
  'int-or-string': 'isIntOrString',
  raw: 'isRaw',
  'fields-v1': 'isFieldsV1',
};

/** Keyword `scalar`: the value is a scalar of this shape. The error contains only the path. */
const scalarKeyword: CodeKeywordDefinition = {
  keyword: 'scalar',
  schemaType: 'string',
  error: { message: 'scalar', params: () => _`{}` },
  code(cxt: KeywordCxt) {
    const scalar = cxt.schema as Scalar;
    if (scalar === 'any') return;
    if (scalar === 'string' || scalar === 'boolean') {
      cxt.fail(_`typeof ${cxt.data} != ${scalar}`);
      return;
    }
    cxt.fail(_`!checks.${new Name(CHECKS[scalar])}(${cxt.data})`);
  },
};

/** Keyword `filled`: a string or list that is not empty. */
const filledKeyword: CodeKeywordDefinition = {
  keyword: 'filled',
  schemaType: 'boolean',
  error: { message: 'filled', params: () => _`{}` },
  code: (cxt: KeywordCxt) => cxt.fail(_`${cxt.data}?.length === 0`),
};

/**
 * Ajv inlines the code for every error, and copies error lists without a limit. Calls remove two thirds of the code,
 * and bound time and memory for a body with a million wrong elements.
 */
const NEW_ERROR =
  /const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:.*?,keyword:("\w+"),params:(.*?)\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g;
const JOIN = /vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\)/g;

function compact(code: string): string {
  const replaced = code
    .replace(NEW_ERROR, (_text, _error, path: string | undefined, keyword: string, params: string) => {
      const details = keyword === '"required"' || keyword === '"enum"' ? `, ${params}` : '';
      return `vErrors = addError(vErrors, ${path ?? 'instancePath'}, ${keyword}${details});`;
    })
    .replace(JOIN, 'joinErrors(vErrors, $1.errors)')
    .replaceAll(', {instancePath="", parentData, parentDataProperty, rootData=data}={}', ', {instancePath=""}={}')
    .replace(/,parentData:\w+,parentDataProperty:.*?,rootData\}/g, '}');
  const unknown = /\.concat\(|\.push\(|\brequire\(/.exec(replaced);
  if (unknown !== null) throw new Error(`Ajv's code has an unexpected form: ${replaced.slice(unknown.index - 100, unknown.index + 100)}`);
  // Only errors that quote an enum need their schema.
  return replaced.replace(/^const (schema\d+) = .*;\n/gm, (line, name: string) => (replaced.includes(`${name}.`) ? line : ''));
}

export interface StandaloneOptions {
  /** All definitions, by name. */
  readonly definitions: Readonly<Record<string, AnySchemaObject>>;
  /** Exported name to definition name. */
  readonly exported: Readonly<Record<string, string>>;
}

/** Source text with one `const` per exported name, without imports of `checks`, `joinErrors` and `addError`. */
export function compileStandalone({ definitions, exported }: StandaloneOptions): string {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    inlineRefs: false,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    keywords: [scalarKeyword, filledKeyword],
    code: { source: true, esm: true, lines: true, optimize: true },
  });
  ajv.addSchema({ $id: 'api', $defs: definitions });
  const refs = Object.entries(exported).map(([name, definition]) => [name, `api#/$defs/${definition}`] as const);
  return compact(standalone.default(ajv, Object.fromEntries(refs))).replace(/^"use strict";\s*/, '');
}
