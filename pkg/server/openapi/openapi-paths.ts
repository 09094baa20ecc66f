/**
 * `/openapi/v2`, `/openapi/v3` and the documents below it. Clients read the index, which has a hash per document, and
 * cache each document until its hash changes. Files are read and hashed on first use.
 */
import type { JsonValue } from '../../apimachinery/json/json-value.ts';
import type { Clock } from '../../apimachinery/time/clock.ts';
import type { ResourceDefinition } from '../../apis/kind.ts';
import type { ServedPath } from '../handlers/path-router.ts';
import type { ApiResponse } from '../transports/request.ts';
import type { RequestContext } from '../filters/context.ts';
import { createDocument, type Document, type LazyDocument } from '../handlers/document.ts';
import { documentResponse } from '../handlers/document-response.ts';
import { negotiateV2, requireJsonAccepted, V2_PROTOBUF } from './negotiate.ts';
import { type DocumentFolder, readDocument, versionThreeFiles } from './read-document.ts';
import { toDocumentMessage } from './v2-message.ts';

export interface OpenApiOptions {
  readonly resources: readonly { readonly definition: Pick<ResourceDefinition, 'group' | 'version'> }[];
  readonly documents: DocumentFolder;
  readonly clock: Clock;
}

const INDEX = '/openapi/v3';
const V2_FILE = 'v2.json';

export function createOpenApiPaths({ resources, documents, clock }: OpenApiOptions): readonly ServedPath[] {
  const now = () => clock.now();
  const lazily = (file: string): LazyDocument => createDocument(() => readDocument(file, documents), now);
  const files = versionThreeFiles(
    resources.map(({ definition }) => definition),
    documents.groupSuffix,
  );
  const parts = [...files].map(([name, file]) => ({ name, read: lazily(file) }));
  const index = createDocument(async () => Buffer.from(JSON.stringify({ paths: await readIndex(parts) })), now);
  const whole = lazily(V2_FILE);
  const wholeInProtobuf = createDocument(async () => toDocumentMessage(await parseDocument(V2_FILE, documents)), now);
  return [
    {
      path: '/openapi/v2',
      get: async ({ request }) =>
        negotiateV2(request.headers['accept']) === V2_PROTOBUF
          ? documentResponse(request, await wholeInProtobuf(), { 'Content-Type': V2_PROTOBUF })
          : documentResponse(request, await whole()),
    },
    { path: INDEX, get: async ({ request }) => documentResponse(request, await index()) },
    ...parts.map(({ name, read }): ServedPath => ({
      path: `${INDEX}/${name}`,
      get: async (context) => partResponse(context, name, await read(), now()),
    })),
  ];
}

const parseDocument = async (file: string, documents: DocumentFolder): Promise<JsonValue> =>
  JSON.parse((await readDocument(file, documents)).toString()) as JsonValue;

const urlOf = (name: string, { hash }: Document): string => `${INDEX}/${name}?hash=${hash}`;

async function readIndex(parts: readonly { readonly name: string; readonly read: LazyDocument }[]) {
  const entries = parts.map(async ({ name, read }) => [name, { serverRelativeURL: urlOf(name, await read()) }] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** A URL with the current hash is cacheable for long; one with an old hash redirects to the current one. */
function partResponse({ request, query }: RequestContext, name: string, document: Document, now: number): ApiResponse {
  requireJsonAccepted(request.headers['accept']);
  const hash = query.first('hash') ?? '';
  if (hash === '') return documentResponse(request, document);
  if (hash !== document.hash)
    return { code: 301, headers: { Location: urlOf(name, document), ETag: `"${document.hash}"`, Vary: 'Accept' }, body: [] };
  const expires = new Date(now);
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  return documentResponse(request, document, { 'Cache-Control': 'public, immutable', Expires: expires.toUTCString() });
}
