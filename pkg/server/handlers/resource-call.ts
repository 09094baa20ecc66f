/** What a handler of a resource is given. */
import type { YamlReader } from '../../apimachinery/yaml/yaml-reader.ts';
import type { Kind } from '../../apis/kind.ts';
import type { FieldManager } from '../../fieldmanager/field-manager.ts';
import type { Counter } from '../../observability/instruments.ts';
import type { ObjectStore } from '../../registry/object-store.ts';
import type { ObjectCodec } from '../../schema/object-codec.ts';
import type { MessageCodec } from '../../schema/protobuf/message-codec.ts';
import type { Validator } from '../../schema/validator.ts';
import type { ObjectForm } from '../forms/object-form.ts';
import type { Output } from '../negotiation/output.ts';
import type { ApiResponse } from '../rims/request.ts';
import type { RequestContext } from '../shell/context.ts';
import type { ResourceRequest } from '../shell/request-info.ts';

/** A kind with its store, and what handlers prepare once per kind. */
export interface ServedResource {
  readonly kind: Kind;
  readonly store: ObjectStore;
  readonly codec: ObjectCodec;
  /** The same objects in protobuf. */
  readonly message: MessageCodec;
  readonly validator: Validator;
  readonly fieldManager: FieldManager;
  readonly yamlReader: Pick<YamlReader, 'toJson'>;
  readonly slowWatchers: Counter;
}

export interface ResourceCall {
  readonly context: RequestContext;
  readonly info: ResourceRequest;
  readonly resource: ServedResource;
  readonly output: Output;
  /** Another form than the stored one, which the answer's objects take. */
  readonly form?: ObjectForm | undefined;
}

export type Handler = (call: ResourceCall) => Promise<ApiResponse>;
