/** What a handler of a resource is given. */
import type { JsonObject } from '../../apimachinery/json/json-value.ts';
import type { YamlReader } from '../../apimachinery/yaml/yaml-reader.ts';
import type { Kind, ResourceDefinition } from '../../apis/kind.ts';
import type { FieldManager } from '../../fieldmanager/field-manager.ts';
import type { Counter } from '../../observability/instruments.ts';
import type { ObjectStore } from '../../registry/object-store.ts';
import type { ObjectCodec } from '../../schema/object-codec.ts';
import type { MessageCodec } from '../../schema/protobuf/message-codec.ts';
import type { Validator } from '../../schema/validator.ts';
import type { ResourceRepresentation } from '../representations/resource-representation.ts';
import type { Output } from '../negotiation/output.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { RequestContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/request-info.ts';

/** What objects are sent to, stored or not, and what handlers prepare for it once. */
export interface TypedResource {
  readonly kind: { readonly definition: Pick<ResourceDefinition, 'kind' | 'apiVersion' | 'version'> };
  readonly codec: ObjectCodec;
  /** The same objects in protobuf. */
  readonly message: MessageCodec;
  readonly validator: Validator;
  readonly fieldManager: FieldManager;
  readonly yamlReader: Pick<YamlReader, 'toJson'>;
}

/** A kind with its store. */
export interface ServedResource extends TypedResource {
  readonly kind: Kind;
  readonly store: ObjectStore;
  /** What a client sees of an object, without its resourceVersion. */
  readonly documentOf: (object: JsonObject) => JsonObject;
  readonly slowWatchers: Counter;
}

/** As far as its body is concerned. */
export interface BodyCall {
  readonly context: RequestContext;
  readonly resource: TypedResource;
}

export interface ResourceCall extends BodyCall {
  readonly info: ResourceRequest;
  readonly resource: ServedResource;
  readonly output: Output;
  /** Another representation than the stored one, which the answer's objects take. */
  readonly representation?: ResourceRepresentation | undefined;
}

export type Handler = (call: ResourceCall) => Promise<ApiResponse>;
