/** The arguments of the handlers of resources. */
import type { YamlReader } from '../../apimachinery/yaml/yaml-reader.ts';
import type { ResourceDefinition, Strategy } from '../../apis/kind.ts';
import type { Counter } from '../../observability/instruments.ts';
import type { CompiledKind, CompiledType } from '../../registry/compiled-kind.ts';
import type { ObjectStore } from '../../registry/object-store.ts';
import type { ResourceRepresentation } from '../representations/resource-representation.ts';
import type { ResourceRepresentations } from '../representations/resource-representations.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { AuthenticatedContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/parse-request-info.ts';

/** A type that clients send, stored or not, with its compiled codecs. */
export interface TypedResource extends CompiledType {
  readonly kind: {
    readonly definition: Pick<ResourceDefinition, 'kind' | 'apiVersion' | 'version'>;
    readonly strategy?: Pick<Strategy, 'applyDefaults'>;
  };
  readonly yamlReader: Pick<YamlReader, 'toJson'>;
}

/** A kind with its store. */
export interface ServedResource extends CompiledKind {
  readonly store: ObjectStore;
  readonly representations: ResourceRepresentations;
  readonly yamlReader: Pick<YamlReader, 'toJson'>;
  readonly slowWatchers: Counter;
}

/** Context for reading a body. */
export interface BodyCall {
  readonly context: AuthenticatedContext;
  readonly resource: TypedResource;
}

/** A body ready for decoding. YAML was converted to JSON. */
export interface RequestBody {
  readonly encoding: 'json' | 'protobuf';
  readonly bytes: Buffer;
}

export interface ResourceCall extends BodyCall {
  readonly info: ResourceRequest;
  readonly resource: ServedResource;
  /** The representation of the objects in the response. Absent: the stored one. */
  readonly representation?: ResourceRepresentation | undefined;
}

export type ResourceHandler = (call: ResourceCall) => Promise<ApiResponse>;
