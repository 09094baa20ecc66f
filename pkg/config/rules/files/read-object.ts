/** Parses the object in a YAML or JSON file, of any kind. */
import { YamlError, yamlToJson } from '../../../apimachinery/yaml/yaml-to-json.ts';
import { fileError } from './file-problem.ts';
import type { FileProblem } from './file-problem.ts';

export type ObjectFields = Readonly<Record<string, unknown>>;

/** Kubeconfigs and pods are far smaller. */
const MAX_CHARACTERS = 1024 * 1024;

/** Only the first document counts, as in the components. */
export function readObject(text: string): { readonly fields: ObjectFields } | { readonly problem: FileProblem } {
  if (text.length > MAX_CHARACTERS) return { problem: fileError('is larger than 1 MiB') };
  let value: unknown;
  try {
    value = JSON.parse(yamlToJson(text));
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof SyntaxError)) throw error;
    return { problem: fileError(`is not valid YAML: ${error.message}`) };
  }
  return isFields(value) ? { fields: value } : { problem: fileError('contains no object') };
}

export const isFields = (value: unknown): value is ObjectFields => typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldOf = (fields: unknown, name: string): unknown =>
  isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;

export const textOf = (fields: unknown, name: string): string => {
  const value = fieldOf(fields, name);
  return typeof value === 'string' ? value : '';
};
