/**
 * Encodes the OpenAPI v2 document as the protobuf message `openapi.v2.Document` of gnostic-models (OpenAPIv2.proto) for
 * older clients. Supports the features of the generated document and throws for others.
 */
import type { JsonObject, JsonValue } from '../../apimachinery/json/json-value.ts';
import { isJsonObject } from '../../apimachinery/json/write-json.ts';
import { MessageWriter } from '../../schema/protobuf/message-writer.ts';
import {
  any,
  content,
  delimited,
  each,
  type MessageField,
  flag,
  message,
  named,
  text,
  texts,
  type WriteField,
} from './v2-message-fields.ts';

/** Throws for members that it does not support. */
export function toDocumentMessage(document: JsonValue): Buffer {
  if (!isJsonObject(document)) throw new Error('the OpenAPI document is not an object');
  const out = new MessageWriter();
  documentMessage(inlineParameters(document))(out, document);
  return out.end();
}

function documentMessage(parametersItem: WriteField): WriteField {
  const operation = message(
    {
      tags: texts(1),
      summary: text(2),
      description: text(3),
      operationId: text(5),
      produces: texts(6),
      consumes: texts(7),
      parameters: each(8, parametersItem),
      responses: delimited(9, only(named(1, only(delimited(1, response))))),
      deprecated: flag(11),
    },
    13,
  );
  const pathItem = message(
    {
      get: delimited(2, operation),
      put: delimited(3, operation),
      post: delimited(4, operation),
      delete: delimited(5, operation),
      patch: delimited(8, operation),
      parameters: each(9, parametersItem),
    },
    10,
  );
  return message(
    {
      swagger: text(1),
      info: delimited(2, message({ title: text(1), version: text(2), description: text(3) }, 7)),
      paths: delimited(8, only(named(2, pathItem))),
      definitions: delimited(9, only(named(1, schema))),
      parameters: delimited(10, only(named(1, parameter))),
      security: each(12, only(named(1, only(texts(1))))),
      securityDefinitions: delimited(13, only(named(1, only(delimited(2, apiKey))))),
    },
    16,
  );
}

/** A message whose single field has the whole value. */
const only =
  (field: MessageField): WriteField =>
  (out, value) =>
    field.write(out, value);

const schema: WriteField = (out, value) => schemaFields(out, value);

const schemaFields = message(
  {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    default: delimited(5, any),
    required: texts(19),
    enum: each(20, any),
    additionalProperties: delimited(21, only(delimited(1, schema))),
    type: delimited(22, only(delimited(1, content))),
    items: delimited(23, only(delimited(1, schema))),
    allOf: each(24, schema),
    properties: delimited(25, only(named(1, schema))),
  },
  31,
);

const response = message({ description: text(1), schema: delimited(2, only(delimited(1, schema))) }, 5);
const apiKey = message({ type: text(1), name: text(2), in: text(3), description: text(4) }, 5);

const bodyParameter = message({ description: text(1), name: text(2), in: text(3), required: flag(4), schema: delimited(5, schema) }, 6);
const common = { required: flag(1), in: text(2), description: text(3), name: text(4) };
const queryParameter = message({ ...common, type: text(6), format: text(7) }, 23);
const pathParameter = message({ ...common, type: text(5), format: text(6) }, 22);

/** Each location has its own message. */
const PLACES: Readonly<Record<string, MessageField>> = {
  body: delimited(1, bodyParameter),
  query: delimited(2, only(delimited(3, queryParameter))),
  path: delimited(2, only(delimited(4, pathParameter))),
};

const parameter: WriteField = (out, value) => {
  const place = isJsonObject(value) ? value['in'] : undefined;
  const field = typeof place === 'string' ? PLACES[place] : undefined;
  if (field === undefined) throw new Error(`unknown location of a parameter: ${JSON.stringify(place)}`);
  field.write(out, value);
};

const REFERENCE = '#/parameters/';

/** Resolves references: kubectl before 1.27 looks for `dryRun` only among an operation's own parameters. */
function inlineParameters(document: JsonObject): WriteField {
  const { parameters = {} } = document;
  const field = delimited(1, parameter);
  return (out, value) => {
    const reference = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof reference !== 'string') {
      field.write(out, value);
      return;
    }
    const shared = isJsonObject(parameters) ? parameters[reference.slice(REFERENCE.length)] : undefined;
    if (shared === undefined) throw new Error(`there is no parameter ${reference}`);
    field.write(out, shared);
  };
}
