/** A small kind for tests of the watch cache. */
import { ObjectEncoding } from '../../pkg/apimachinery/meta/object-encoding.ts';
import { type Key, toKey } from '../../pkg/storage/keys.ts';
import type { CachedResource } from '../../pkg/watchcache/watch-cache.ts';

interface Widget {
  readonly metadata: { readonly uid?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly color?: string };
}

export const widgets: CachedResource = {
  name: 'widgets.example.com',
  resource: 'widgets',
  group: 'example.com',
  prefix: toKey('/registry/example.com/widgets/'),
  namespaced: true,
  encoding: new ObjectEncoding({ kind: 'Widget', apiVersion: 'example.com/v1' }),
  bookmarkTail: Buffer.from(',"spec":{}}'),
  readAttributes: (json) => {
    const { metadata, spec } = JSON.parse(json.toString()) as Widget;
    return { uid: metadata.uid ?? '', labels: metadata.labels, fields: { 'spec.color': spec?.color ?? '' } };
  },
};

export const WIDGET_HEAD = widgets.encoding.head.toString();

export const keyOf = (namespace: string, name: string): Key => toKey(`/registry/example.com/widgets/${namespace}/${name}`);

/** The stored JSON, without resourceVersion. */
export const jsonOf = (namespace: string, name: string, labels: Readonly<Record<string, string>> = {}, spec: object = {}): string =>
  `${WIDGET_HEAD}"metadata":${JSON.stringify({ name, namespace, uid: `uid-${name}`, labels })},"spec":${JSON.stringify(spec)}}`;

/** The form inside a list. */
export const itemEncodingOf = (json: string, revision: number): string =>
  json.replace(`${WIDGET_HEAD}"metadata":{`, `{"metadata":{"resourceVersion":"${revision}",`);
