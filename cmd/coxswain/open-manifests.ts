/** Applies the manifests of `--manifest-dir` through the server's own API, as its own user. */
import { stat } from 'node:fs/promises';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import type { YamlReader } from '../../pkg/apimachinery/yaml/yaml-reader.ts';
import type { ResourceDefinition } from '../../pkg/apis/kind.ts';
import { openManifestApplier, type ManifestApplier } from '../../pkg/manifests/manifest-applier.ts';
import type { ManifestObject } from '../../pkg/manifests/manifest-object.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { createLoopbackClient, type LoopbackResponse } from '../../pkg/server/loopback-client.ts';
import { APPLY_PATCH } from '../../pkg/server/negotiation/patch-media-type.ts';
import type { Responder } from '../../pkg/server/transports/request.ts';
import { UsageError } from './flag.ts';

export interface OpenManifestsOptions {
  readonly folder: string;
  readonly respond: Responder;
  /** Of the server's own user. */
  readonly token: string;
  readonly definitions: readonly ResourceDefinition[];
  readonly yaml: Pick<YamlReader, 'toJson'>;
  /** When clients may write. */
  readonly after: Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

const FIELD_MANAGER = 'coxswain-manifests';
/** What is in a file counts, whoever else wrote the same fields. */
const QUERY = `fieldManager=${FIELD_MANAGER}&force=true&fieldValidation=Strict`;

/** Throws UsageError. */
export async function assertManifestFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    throw new UsageError(`--manifest-dir: ${errorMessage(error)}`);
  });
  if (!found.isDirectory()) throw new UsageError(`--manifest-dir: ${folder} is not a folder`);
}

export function openManifests({ folder, respond, token, definitions, metrics, ...shared }: OpenManifestsOptions): ManifestApplier {
  const send = createLoopbackClient({ respond, token, userAgent: FIELD_MANAGER });
  const { manifestAppliesTotal, manifestProblems } = metrics;
  const [successes, failures] = [manifestAppliesTotal.with('success'), manifestAppliesTotal.with('failure')];
  return openManifestApplier({
    ...shared,
    folder,
    apply: async (object) => {
      const path = pathOf(object, definitions);
      const response = await send({ method: 'PATCH', path, query: QUERY, contentType: APPLY_PATCH, body: object.json });
      if (response.code >= 300) throw new Error(messageOf(response));
      return { created: response.code === 201 };
    },
    onApply: (isSuccess) => (isSuccess ? successes : failures).inc(),
    onProblems: (count) => manifestProblems.with().set(count),
  });
}

/** Throws an Error if no such kind is served. */
function pathOf({ apiVersion, kind, namespace, name }: ManifestObject, definitions: readonly ResourceDefinition[]): string {
  const definition = definitions.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (definition === undefined) throw new Error(`there is no kind ${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)}`);
  const { group, resource, namespaced } = definition;
  const place = namespaced ? ['namespaces', namespace === '' ? 'default' : namespace] : [];
  const segments = [...(group === '' ? ['api'] : ['apis']), ...apiVersion.split('/'), ...place, resource, name];
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

/** The message of the Status. */
function messageOf({ code, text }: LoopbackResponse): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not a Status.
  }
  return `the answer is ${code}: ${text.trim()}`;
}
