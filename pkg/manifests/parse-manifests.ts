/** The objects of a file: YAML with any number of documents, or JSON. The items of a List count as objects. */
import type { JsonObject, JsonValue } from '../apimachinery/json/json-value.ts';
import { parseJson } from '../apimachinery/json/parse-json.ts';
import { isArray, isJsonObject, writeJson } from '../apimachinery/json/write-json.ts';
import { errorMessage } from '../apimachinery/status/error-message.ts';
import type { YamlReader } from '../apimachinery/yaml/yaml-reader.ts';
import type { ManifestObject, ManifestProblem } from './manifest-object.ts';

export interface ParsedManifests {
  readonly objects: readonly ManifestObject[];
  /** What is broken does not keep back the rest of the file. */
  readonly problems: readonly ManifestProblem[];
}

interface ManifestDocument {
  readonly text: string;
  readonly line: number;
}

export async function parseManifests(text: string, file: string, yaml: Pick<YamlReader, 'toJson'>): Promise<ParsedManifests> {
  const objects: ManifestObject[] = [];
  const problems: ManifestProblem[] = [];
  for (const document of splitDocuments(text)) {
    const { line } = document;
    try {
      objects.push(...(await objectsOf(document, file, yaml)));
    } catch (error) {
      problems.push({ file, line, reason: errorMessage(error) });
    }
  }
  return { objects, problems };
}

/** As kubectl does, without regard to what the lines between mean. */
function splitDocuments(text: string): readonly ManifestDocument[] {
  const documents: ManifestDocument[] = [];
  let lines: string[] = [];
  let first = 1;
  const end = () => {
    const blank = lines.findIndex((line) => !/^\s*(#.*)?$/.test(line));
    if (blank >= 0) documents.push({ text: lines.join('\n'), line: first + blank });
  };
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (!/^---(\s|$)/.test(line)) {
      lines.push(line);
      continue;
    }
    end();
    lines = [line.slice(3)];
    first = index + 1;
  }
  end();
  return documents;
}

async function objectsOf(
  { text, line }: ManifestDocument,
  file: string,
  yaml: Pick<YamlReader, 'toJson'>,
): Promise<readonly ManifestObject[]> {
  const json = await yaml.toJson(Buffer.from(text));
  // Tokens, so that numbers are sent as they are written.
  const { value, findings } = parseJson(json, undefined, 'tokens');
  const [repeated] = findings;
  if (repeated !== undefined) throw new Error(`the field ${repeated.path} is there twice`);
  if (value === null) return [];
  return itemsOf(value).map((item) => {
    const object = asObject(item);
    const metadata = asObject(object['metadata'] ?? {});
    const { namespace } = metadata;
    return {
      file,
      line,
      apiVersion: textOf(object['apiVersion'], 'apiVersion'),
      kind: textOf(object['kind'], 'kind'),
      namespace: typeof namespace === 'string' ? namespace : '',
      name: textOf(metadata['name'], 'metadata.name'),
      json: item === value ? json : Buffer.from(writeJson(item)),
    };
  });
}

/** Lists may hold lists. */
function itemsOf(value: JsonValue): readonly JsonValue[] {
  const { kind, items } = asObject(value);
  if (typeof kind !== 'string' || !kind.endsWith('List') || items === undefined) return [value];
  if (items === null) return [];
  if (!isArray(items)) throw new Error('items is no list');
  return items.flatMap(itemsOf);
}

function asObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new Error('it is no object');
  return value;
}

function textOf(value: JsonValue | undefined, field: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${field} is missing`);
  return value;
}
