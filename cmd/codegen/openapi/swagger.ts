/** Swagger 2.0 path items. */
import type { Operation, PathOperations } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { SWAGGER } from './schemas.ts';
import type { JsonSchema } from '../json-schema.ts';
import { responseText } from './responses.ts';

const reference = (model: string): JsonSchema => ({ $ref: SWAGGER.refPrefix + model });

// Clients look these two up by name in the operation itself and do not follow references.
const INLINE = new Set(['dryRun', 'fieldValidation']);

const parameter = ({ in: place, name, type, description }: Parameter): JsonSchema => ({
  in: place,
  name,
  type,
  description,
  ...(place === 'path' ? { required: true } : {}),
});

/** The path parameter `name` has a different description for every kind. */
const isShared = ({ in: place, name }: Parameter): boolean => !INLINE.has(name) && !(place === 'path' && name === 'name');

const parameterOrReference = (each: Parameter): JsonSchema => (isShared(each) ? { $ref: `#/parameters/${each.name}` } : parameter(each));

function operation({ id, description, tag, action, gvk, deprecated, parameters, body, produces, answers }: Operation): JsonSchema {
  const bodyParameter =
    body === undefined ? [] : [{ in: 'body', name: 'body', ...(body.required ? { required: true } : {}), schema: reference(body.model) }];
  return {
    operationId: id,
    description,
    tags: [tag],
    ...(deprecated === undefined ? {} : { deprecated }),
    consumes: body?.mediaTypes ?? ['*/*'],
    produces,
    parameters: [...bodyParameter, ...parameters.map(parameterOrReference)],
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([code, model]) => [code, { description: responseText(code), schema: reference(model) }]),
      ),
      401: { description: responseText('401') },
    },
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': gvk }),
  };
}

export const swaggerPath = ({ parameters, operations }: PathOperations): JsonSchema => ({
  ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterOrReference) }),
  ...Object.fromEntries(Object.entries(operations).map(([method, each]) => [method, operation(each)])),
});

/** The definitions of the parameters that the paths refer to. */
export function sharedParameters(paths: readonly PathOperations[]): JsonSchema {
  const all = paths.flatMap((path) => [...path.parameters, ...Object.values(path.operations).flatMap(({ parameters }) => parameters)]);
  const shared = new Map(all.filter(isShared).map((each) => [each.name, parameter(each)]));
  return Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));
}
