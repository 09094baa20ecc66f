/** The object that a YAML or JSON file holds, without caring what kind of object it is. */
import { YamlError, yamlToJson } from '../../../apimachinery/yaml/yaml-to-json.ts';
import { fault } from './file-fault.ts';
import type { FileFault } from './file-fault.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Client configurations and pods are far smaller. */
const MAX_CHARACTERS = 1024 * 1024;

/** The first document, as the components take it. */
export function readObject(text: string): { readonly fields: Fields } | { readonly fault: FileFault } {
  if (text.length > MAX_CHARACTERS) return { fault: fault('is larger than 1 MiB') };
  let value: unknown;
  try {
    value = JSON.parse(yamlToJson(text));
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof SyntaxError)) throw error;
    return { fault: fault(`is no YAML: ${error.message}`) };
  }
  return isFields(value) ? { fields: value } : { fault: fault('holds no object') };
}

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldOf = (fields: unknown, name: string): unknown =>
  isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;

export const textOf = (fields: unknown, name: string): string => {
  const value = fieldOf(fields, name);
  return typeof value === 'string' ? value : '';
};
