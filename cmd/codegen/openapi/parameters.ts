/** The parameters of the API's operations. */
export interface Parameter {
  readonly in: 'query' | 'path';
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

const query = (name: string, type: Parameter['type'], description: string): Parameter => ({ in: 'query', name, type, description });

const DRY_RUN = query(
  'dryRun',
  'string',
  'Nothing is stored when it is `All`, the only value there is; checks and admission run as for a real request.',
);
const FIELD_SELECTOR = query(
  'fieldSelector',
  'string',
  'Restricts the answer to objects whose fields match, such as `metadata.name=a,metadata.namespace!=b`. Only some fields of a kind can be selected by.',
);
const LABEL_SELECTOR = query(
  'labelSelector',
  'string',
  'Restricts the answer to objects whose labels match, such as `app=web,tier in (a,b),!canary`. Requirements are joined by a comma and must all hold.',
);
const SHARD_SELECTOR = query(
  'shardSelector',
  'string',
  'Restricts the answer to the objects whose hash lies in a range, so that several clients can share one collection.',
);
const PRETTY = query(
  'pretty',
  'string',
  '`true` indents the answer for people. Browsers, curl and wget get it indented unless this says `false`.',
);
const FIELD_MANAGER = query(
  'fieldManager',
  'string',
  'The name under which the changed fields are recorded in metadata.managedFields: at most 128 printable characters. Required for an apply patch; otherwise taken from User-Agent when absent.',
);
const FIELD_VALIDATION = query(
  'fieldValidation',
  'string',
  'What happens to unknown and duplicate fields of the body: `Strict` refuses the request, `Warn` (the default) stores the rest and names them in Warning headers, `Ignore` says nothing.',
);
const FORCE = query(
  'force',
  'boolean',
  'For apply patches only: takes over fields that other managers own instead of answering 409 Conflict. Forbidden with every other patch.',
);

const READ = [
  query(
    'continue',
    'string',
    'The token of the previous page (metadata.continue): answers with the next page of the same list. An expired one gets 410.',
  ),
  FIELD_SELECTOR,
  LABEL_SELECTOR,
  query(
    'limit',
    'integer',
    'The most objects that one answer holds; when there are more, metadata.continue of the answer leads on. Absent or 0: all of them.',
  ),
  query(
    'resourceVersion',
    'string',
    'Which state is read. Absent: the newest. `0`: any that the server has at hand. Another value: that one or a later one, as resourceVersionMatch says; a watch starts behind it.',
  ),
  query(
    'resourceVersionMatch',
    'string',
    'How resourceVersion is meant: `Exact` or `NotOlderThan`. Only together with resourceVersion or sendInitialEvents.',
  ),
  query(
    'sendInitialEvents',
    'boolean',
    'For a watch: begins with an ADDED event for each object there is, then a bookmark that marks their end when allowWatchBookmarks is set. Needs resourceVersionMatch=NotOlderThan.',
  ),
  SHARD_SELECTOR,
  query(
    'timeoutSeconds',
    'integer',
    'Ends the request after so many seconds, whatever it is doing. A watch without it ends after 30 to 60 minutes.',
  ),
];

/** List and watch. */
export const LIST: readonly Parameter[] = [
  query('allowWatchBookmarks', 'boolean', 'For a watch: also sends BOOKMARK events, which carry nothing but the resourceVersion reached.'),
  ...READ,
  query('watch', 'boolean', 'Answers with a stream of changes instead of a list, each one a WatchEvent.'),
];

export const DELETE: readonly Parameter[] = [
  DRY_RUN,
  query('gracePeriodSeconds', 'integer', 'Seconds before the object is deleted. 0 deletes at once; values below 0 are refused.'),
  query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'boolean',
    'Deletes an object although what is stored of it cannot be read. Finalizers and preconditions are not looked at then.',
  ),
  query('orphanDependents', 'boolean', 'The older word for propagationPolicy, `true` for Orphan; never both.'),
  query(
    'propagationPolicy',
    'string',
    'What becomes of the objects that this one owns: `Orphan` keeps them, `Background` deletes them afterwards, `Foreground` deletes them first.',
  ),
];

export const DELETE_COLLECTION: readonly Parameter[] = [...DELETE, ...READ].sort((a, b) => (a.name < b.name ? -1 : 1));
export const WRITE: readonly Parameter[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];
export const PATCH: readonly Parameter[] = [...WRITE, FORCE];

/** `pretty` and the parameters in the braces of the path. */
export function parametersOfPath(path: string, kind: string): readonly Parameter[] {
  const inPath = (name: string, description: string): Parameter[] =>
    path.includes(`{${name}}`) ? [{ in: 'path', name, type: 'string', description }] : [];
  return [
    ...inPath('name', `The name of the ${kind}.`),
    ...inPath('namespace', 'The namespace, which scopes names. It need not exist as an object.'),
    PRETTY,
  ];
}
