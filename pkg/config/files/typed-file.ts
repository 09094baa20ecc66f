/**
 * Files that configure the server itself, such as an audit policy: one YAML or JSON document of a known kind, read
 * strictly. Every problem has its line.
 */
import type { StatusCause } from '../../apimachinery/status/status-error.ts';
import type { ObjectShape } from '../../apis/type-shape.ts';
import { readSource } from '../source/read-source.ts';
import { readTyped } from './typed-reader.ts';

export interface FileKind<T> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly shape: ObjectShape;
  /** What is wrong with a value whose types are right. */
  readonly causesOf: (value: T) => readonly StatusCause[];
}

/** Has one line per problem: `policy.yaml:3:5: rules[0].level: Required value`. */
export class FileError extends Error {}

const MAX_PROBLEMS = 10;

/** `file`: its name in messages. Throws FileError. */
export function parseTypedFile<T>(text: string, file: string, { apiVersion, kind, shape, causesOf }: FileKind<T>): T {
  const source = readSource(text);
  const refuse = (problems: readonly { readonly path: string; readonly at: number; readonly message: string }[]): never => {
    const lines = problems.map(({ path, at, message }) => {
      const { line, column } = source.lineColumnOf(at);
      return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
    });
    const more = lines.length > MAX_PROBLEMS ? [`and ${lines.length - MAX_PROBLEMS} more`] : [];
    throw new FileError([...lines.slice(0, MAX_PROBLEMS), ...more].join('\n'));
  };
  if (source.failures.length > 0) refuse(source.failures.map(({ offset, message }) => ({ path: '', at: offset, message })));
  const [document, another] = source.documents;
  if (document === undefined) return refuse([{ path: '', at: 0, message: `the file is empty; it must hold a ${kind} of ${apiVersion}` }]);
  if (another !== undefined) refuse([{ path: '', at: another.root.start, message: 'the file must hold one document only' }]);
  const { value, problems, offsetOf } = readTyped(document.root, shape);
  const locate = (path: string, message: string) => ({ path, at: offsetOf(path), message });
  if (value === undefined) return refuse(problems);
  const type = value as { readonly kind?: string; readonly apiVersion?: string };
  // Of another kind of file, every field would be unknown.
  if (type.kind !== kind) refuse([locate('kind', `must be ${kind}`)]);
  if (type.apiVersion !== apiVersion) refuse([locate('apiVersion', `must be ${apiVersion}`)]);
  if (problems.length > 0) refuse(problems);
  // The assertion is safe: shapes and types are generated from the same facts.
  const typed = value as T;
  const causes = causesOf(typed);
  if (causes.length > 0) refuse(causes.map(({ field = '', message }) => locate(field, message)));
  return typed;
}
