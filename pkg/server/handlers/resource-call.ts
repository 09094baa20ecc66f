/** What a handler of a resource is given. */
import type { YamlReader } from '../../apimachinery/yaml/yaml-reader.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import type { Counter } from '../../observability/instruments.ts';
import type { CompiledKind, CompiledType } from '../../registry/compiled-kind.ts';
import type { ObjectStore } from '../../registry/object-store.ts';
import type { ResourceRepresentation } from '../representations/resource-representation.ts';
import type { Output } from '../negotiation/output.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { RequestContext } from '../filters/context.ts';
import type { ResourceRequest } from '../filters/request-info.ts';

/** What objects are sent to, stored or not, and what handlers prepare for it once. */
export interface TypedResource extends CompiledType {
  readonly kind: { readonly definition: Pick<ResourceDefinition, 'kind' | 'apiVersion' | 'version'> };
  readonly yamlReader: Pick<YamlReader, 'toJson'>;
}

/** A kind with its store. */
export interface ServedResource extends CompiledKind {
  readonly store: ObjectStore;
  readonly yamlReader: Pick<YamlReader, 'toJson'>;
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
