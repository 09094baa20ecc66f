/** Query parameters and headers that many requests have. */
import type { Encoding } from '../body.ts';
import type { Draw } from '../draw.ts';
import type { Target } from '../targets.ts';
import type { Tree } from '../tree.ts';
import type { PlannedRequest } from './request.ts';

type Query = PlannedRequest['query'];

const one = (name: string, ...values: readonly string[]) => values.map((value) => [name, value] as const);

const DRY_RUN = [...one('dryRun', 'All', 'All', 'All', 'All', 'All', 'All', 'None', 'all', '')];
const FIELD_MANAGER = one(
  'fieldManager',
  'one',
  'one',
  'two',
  'two',
  '',
  'a'.repeat(127),
  'a'.repeat(129),
  'ä'.repeat(64),
  'a\u0001b',
  'a b',
);
const FIELD_VALIDATION = one('fieldValidation', 'Strict', 'Strict', 'Strict', 'Warn', 'Warn', 'Ignore', 'Ignore', 'strict', '');
const ODD = [...one('pretty', 'true', '1', 'x'), ...one('unknown', 'x'), ...one('force', 'true', 'x'), ...one('resourceVersion', '1')];

export function writeQuery(draw: Draw): Query {
  return [
    ...(draw.chance(0.12) ? [draw.pick(DRY_RUN)] : []),
    ...(draw.chance(0.3) ? [draw.pick(FIELD_MANAGER)] : []),
    ...(draw.chance(0.5) ? [draw.pick(FIELD_VALIDATION)] : []),
    ...(draw.chance(0.02) ? [draw.pick(ODD)] : []),
  ];
}

/** An apply must name its manager. */
export function applyQuery(draw: Draw): Query {
  const query = writeQuery(draw);
  const named = query.some(([name]) => name === 'fieldManager') || draw.chance(0.03);
  const force = draw.weighted([
    [6, []],
    [5, one('force', 'true')],
    [1, one('force', 'false')],
    [0.2, one('force', 'x', '')],
  ]);
  return [...query, ...(named ? [] : [draw.pick(one('fieldManager', 'one', 'two'))]), ...force];
}

const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Undefined: no header. */
const ACCEPT: readonly (readonly [weight: number, accept: string | undefined])[] = [
  [70, 'application/json'],
  [5, undefined],
  [5, '*/*'],
  [10, PROTOBUF],
  [4, 'application/yaml'],
  [8, TABLE],
  [4, `${TABLE},application/json`],
  [1, TABLE.replace('v=v1', 'v=v1beta1')],
  [5, METADATA],
  [3, METADATA_LIST],
  [1, METADATA.replace('application/json', PROTOBUF)],
  [1, METADATA_LIST.replace('application/json', PROTOBUF)],
  [1, TABLE.replace('application/json', PROTOBUF)],
  [1, `${PROTOBUF};q=0.5,application/json`],
  [0.5, 'text/html'],
  [0.5, 'application/json;as=Unknown;g=meta.k8s.io;v=v1'],
  [0.5, ''],
];

export function acceptHeader(draw: Draw): PlannedRequest['headers'] {
  const accept = draw.weighted(ACCEPT);
  return accept === undefined ? {} : { accept };
}

const CONTENT_TYPES: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: PROTOBUF,
};
const ODD_CONTENT_TYPES = ['application/json; charset=utf-8', 'text/plain', 'application/merge-patch+json', 'application/json;a=b', ''];

export function writeHeaders(draw: Draw, encoding: Encoding): PlannedRequest['headers'] {
  const type = draw.chance(0.01) ? draw.pick(ODD_CONTENT_TYPES) : CONTENT_TYPES[encoding];
  // Most clients of writes read JSON.
  return { ...(draw.chance(0.3) ? acceptHeader(draw) : { accept: 'application/json' }), 'content-type': type };
}

/** Not everything that is wrong can be said in protobuf. */
export function chooseEncoding(draw: Draw, { format }: Target, tree: Tree): Encoding {
  const encoding = draw.weighted<Encoding>([
    [80, 'json'],
    [10, 'yaml'],
    [10, 'protobuf'],
  ]);
  return encoding === 'protobuf' && !format.hasMessage(tree) ? 'json' : encoding;
}
