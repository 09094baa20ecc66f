/** The committed OpenAPI documents and the type facts that they come from, as a test reads them. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const documentFolder = path.join(root, 'schemas/openapi');
const apis = path.join(root, 'pkg/apis');

export interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly allOf?: readonly { readonly $ref: string }[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-kubernetes-group-version-kind'?: readonly Gvk[];
}

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: Gvk;
}

export interface OpenApiDocument {
  readonly [member: string]: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly components?: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** From the folder of the documents, such as `v3/apis/batch/v1.json`. */
export const documentFiles = (): string[] =>
  readdirSync(documentFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.split(path.sep).join('/'))
    .sort();

export const readDocument = (file: string): OpenApiDocument =>
  JSON.parse(readFileSync(path.join(documentFolder, file), 'utf8')) as OpenApiDocument;

export const schemasOf = ({ definitions, components }: OpenApiDocument): Readonly<Record<string, Schema>> =>
  definitions ?? components?.schemas ?? {};

/** Path items hold parameters beside operations. */
export const operationsOf = ({ paths }: OpenApiDocument): readonly (Operation & { readonly path: string; readonly method: string })[] =>
  Object.entries(paths).flatMap(([urlPath, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({ ...operation, path: urlPath, method })),
  );

export interface FieldFacts {
  readonly [fact: string]: unknown;
  readonly name: string;
  readonly ref?: string;
  readonly model?: string;
  readonly required: boolean;
  readonly specRequired?: boolean;
  readonly items?: { readonly ref?: string };
  readonly values?: { readonly ref?: string };
}

export interface TypeFacts {
  readonly shape: string;
  readonly fields?: readonly FieldFacts[];
}

interface FactsFile {
  readonly folder: string;
  readonly resource?: { readonly kind: string; readonly model: string; readonly group: string; readonly version: string };
  readonly types: Readonly<Record<string, TypeFacts>>;
}

export const readFacts = (): readonly FactsFile[] =>
  readdirSync(apis, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'facts.json')
    .map((file) => ({ ...(JSON.parse(readFileSync(path.join(apis, file), 'utf8')) as FactsFile), folder: path.dirname(file) }));
