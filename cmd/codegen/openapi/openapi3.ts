/** OpenAPI 3.0 path items. */
import type { Operation, PathOperations } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { responseText } from './responses.ts';
import { OPENAPI_3 } from './schemas.ts';
import type { JsonSchema } from '../json-schema.ts';

const content = (mediaTypes: readonly string[], model: string): JsonSchema =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: { $ref: OPENAPI_3.refPrefix + model } }]));

const parameter = ({ in: place, name, type, description }: Parameter): JsonSchema => ({
  in: place,
  name,
  description,
  ...(place === 'path' ? { required: true } : {}),
  schema: { type },
});

function operation({ id, description, tag, action, gvk, deprecated, parameters, body, produces, answers }: Operation): JsonSchema {
  return {
    operationId: id,
    description,
    tags: [tag],
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameter) }),
    ...(body === undefined
      ? {}
      : { requestBody: { ...(body.required ? { required: true } : {}), content: content(body.mediaTypes, body.model) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([code, model]) => [code, { description: responseText(code), content: content(produces, model) }]),
      ),
      401: { description: responseText('401') },
    },
    ...(action === undefined ? {} : { 'x-kubernetes-action': action }),
    ...(gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': gvk }),
  };
}

export const openApi3Path = ({ parameters, operations }: PathOperations): JsonSchema => ({
  ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameter) }),
  ...Object.fromEntries(Object.entries(operations).map(([method, each]) => [method, operation(each)])),
});
