/**
 * Reads a YAML node as a value of an API type. Unknown, repeated and mistyped fields are problems, as none may go
 * unnoticed.
 */
import type { ArrayShape, MapShape, ObjectShape, ScalarShape, TypeShape } from '../../apis/type-shape.ts';
import { MAX_SUGGESTIONS, nearestName } from '../read/nearest-name.ts';
import { describeNode } from '../read/read-scalar.ts';
import type { SourceMap, SourceNode, SourceScalar } from '../source/source-node.ts';

export interface TypedProblem {
  /** As in causes of the API: `rules[0].level`. Empty for the document. */
  readonly path: string;
  /** Offset in the text. */
  readonly at: number;
  /** A clause that follows the path. */
  readonly message: string;
}

export interface TypedNode {
  /** Only fields without a problem. `null` counts as absent. */
  readonly value: unknown;
  readonly problems: readonly TypedProblem[];
  /** The offset of the value, or of the nearest enclosing one that is there. */
  readonly offsetOf: (path: string) => number;
}

export function readTyped(root: SourceNode, shape: ObjectShape): TypedNode {
  const reader = new TypedReader();
  return { value: reader.read(root, shape, ''), problems: reader.problems, offsetOf: (path) => reader.offsetOf(path) };
}

const MAX_INT32 = 2 ** 31 - 1;

const EXPECTED: Partial<Record<TypeShape['shape'], string>> = {
  boolean: 'true or false',
  int32: 'an integer',
  int64: 'an integer',
  number: 'a number',
};

class TypedReader {
  readonly problems: TypedProblem[] = [];
  readonly #offsets = new Map<string, number>();
  #suggestions = 0;

  read(node: SourceNode, shape: TypeShape, path: string): unknown {
    this.#offsets.set(path, node.start);
    if (node.type === 'null') return undefined;
    switch (shape.shape) {
      case 'object':
        return this.#object(node, shape, path);
      case 'array':
        return this.#array(node, shape, path);
      case 'map':
        return this.#map(node, shape, path);
      default:
        return node.type === 'map' || node.type === 'list'
          ? this.#refuseType(node, path, EXPECTED[shape.shape] ?? 'a string')
          : this.#scalar(node, shape, path);
    }
  }

  offsetOf(path: string): number {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['), 0))) {
      const offset = this.#offsets.get(at);
      if (offset !== undefined) return offset;
    }
    return this.#offsets.get('') ?? 0;
  }

  #object(node: SourceNode, shape: ObjectShape, path: string): unknown {
    return this.#members(node, path, 'an object', (name, at) => {
      const field = shape.fields.find((each) => each.name === name);
      if (field !== undefined) return { type: field.type, path: path === '' ? name : `${path}.${name}` };
      const near =
        ++this.#suggestions > MAX_SUGGESTIONS
          ? undefined
          : nearestName(
              name,
              shape.fields.map((each) => each.name),
            );
      this.#problem(
        path === '' ? name : `${path}.${name}`,
        at,
        `is not a known field${near === undefined ? '' : `; did you mean ${near}?`}`,
      );
      return undefined;
    });
  }

  #map(node: SourceNode, { values }: MapShape, path: string): unknown {
    return this.#members(node, path, 'an object', (name) => ({ type: values, path: `${path}[${name}]` }));
  }

  #members(
    node: SourceNode,
    path: string,
    expected: string,
    memberOf: (name: string, at: number) => { readonly type: TypeShape; readonly path: string } | undefined,
  ): unknown {
    if (node.type !== 'map') return this.#refuseType(node, path, expected);
    const value: Record<string, unknown> = {};
    for (const { key, value: inner } of (node satisfies SourceMap).entries) {
      const member = memberOf(key.text, key.start);
      if (member === undefined) continue;
      if (Object.hasOwn(value, key.text)) {
        this.#problem(member.path, key.start, 'is set twice');
        continue;
      }
      // An own property even for `__proto__`.
      Object.defineProperty(value, key.text, { value: this.read(inner, member.type, member.path), enumerable: true });
    }
    return value;
  }

  #array(node: SourceNode, { items }: ArrayShape, path: string): unknown {
    if (node.type !== 'list') return this.#refuseType(node, path, 'a list');
    return node.elements.map((element, index) => {
      const at = `${path}[${index}]`;
      if (element.type === 'null') this.#problem(at, element.start, 'is empty');
      return this.read(element, items, at);
    });
  }

  #scalar(node: SourceScalar, { shape }: ScalarShape, path: string): unknown {
    switch (shape) {
      case 'boolean':
        return node.type === 'boolean' ? node.text === 'true' : this.#refuseType(node, path, 'true or false');
      case 'int32':
      case 'int64': {
        const value = Number(node.text);
        const fits = Number.isSafeInteger(value) && (shape === 'int64' || Math.abs(value) <= MAX_INT32);
        return node.type === 'number' && fits ? value : this.#refuseType(node, path, 'an integer');
      }
      case 'number':
        return node.type === 'number' ? Number(node.text) : this.#refuseType(node, path, 'a number');
      default:
        return node.type === 'string' ? node.text : this.#refuseType(node, path, 'a string');
    }
  }

  #refuseType(node: SourceNode, path: string, expected: string): unknown {
    this.#problem(path, node.start, `must be ${expected}, not ${describeNode(node)}`);
    return undefined;
  }

  #problem(path: string, at: number, message: string): void {
    this.problems.push({ path, at, message });
  }
}
