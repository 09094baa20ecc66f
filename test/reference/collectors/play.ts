/** Does the steps of many scripts on one server, and reads what is left. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { kindCase, type KindCase, everywherePath, collectionPath, itemPath } from '../../support/kinds.ts';
import type { JsonClient } from './json-client.ts';
import { HOLD, type CreateStep, type OwnerChoice, type Place, type Script, type Step, wrongKind } from './script.ts';

export interface PlayOptions {
  readonly client: JsonClient;
  /** Part of all names, so that nothing meets what is left of others. */
  readonly prefix: string;
  /** The server has done what it has to do when nothing has changed for so long. */
  readonly quietMs: number;
}

/** What a script did, and what was left of it. The names are those of the script. */
export interface Played {
  /** The code of each answer. */
  readonly codes: readonly number[];
  /** A line for each object that is left. */
  readonly left: readonly string[];
  /** A line for each namespace, with its conditions. */
  readonly namespaces: readonly string[];
  /** A line for each Event. */
  readonly events: readonly string[];
}

const KINDS: readonly KindCase[] = ['ControllerRevision', 'CronJob', 'PodDisruptionBudget', 'VolumeAttachment'].map(kindCase);
const NAMESPACES = '/api/v1/namespaces';
const SETTLE_MS = 120_000;
/** Of the time that nothing may change: what is read so often costs the servers as much as the work. */
const POLLS = 10;
const CONCURRENT = 24;

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly name: string; readonly kind: string; readonly uid: string }[];
  };
}

interface EventItem {
  readonly involvedObject: { readonly name?: string; readonly namespace?: string };
  readonly reason: string;
  readonly type: string;
  readonly message: string;
}

/** A script on its way. */
class Performance {
  readonly script: Script;
  readonly name: string;
  readonly codes: number[] = [];
  readonly #options: PlayOptions;
  /** By object: the newest uid and where it is. */
  readonly #objects = new Map<number, { readonly step: CreateStep; readonly uid: string }>();
  /** Uids by what the script calls them. */
  readonly uids = new Map<string, string>();

  constructor(script: Script, index: number, options: PlayOptions) {
    this.script = script;
    this.#options = options;
    this.name = `${options.prefix}-${index}`;
  }

  readonly create = async (step: CreateStep): Promise<void> => {
    const kind = kindCase(step.kind);
    const namespace = this.#namespace(step.place);
    const sample = kind.sample(this.#nameOf(step), namespace);
    const metadata = {
      ...sample.metadata,
      labels: { batch: this.#options.prefix },
      finalizers: step.finalizers,
      ownerReferences: step.owners.map((owner) => this.#reference(owner)),
    };
    const { code, body } = await this.#options.client.send('POST', collectionPath(kind, namespace), { ...sample, metadata });
    this.codes.push(code);
    if (code !== 201) return;
    const { uid } = (body as Item).metadata;
    this.#objects.set(step.object, { step, uid });
    this.uids.set(uid, `${step.object}#${[...this.uids.values()].filter((known) => known.startsWith(`${step.object}#`)).length}`);
  };

  /** Nothing can be created in a namespace that does not exist. */
  readonly createNamespaces = async (): Promise<void> => {
    for (const place of ['home', 'away'] as const) {
      const metadata = { name: this.#namespace(place), labels: { batch: this.#options.prefix } };
      const { code } = await this.#options.client.send('POST', NAMESPACES, { kind: 'Namespace', apiVersion: 'v1', metadata });
      if (code !== 201) throw new Error(`namespace ${metadata.name}: ${code}`);
    }
  };

  async perform(step: Step): Promise<void> {
    if (step.does === 'create') return this.create(step);
    if (step.does === 'delete namespace') {
      this.codes.push((await this.#options.client.send('DELETE', `${NAMESPACES}/${this.#namespace('home')}`)).code);
      return;
    }
    const found = this.#objects.get(step.object);
    if (found === undefined) {
      this.codes.push(0);
      return;
    }
    const path = itemPath(kindCase(found.step.kind), this.#namespace(found.step.place), this.#nameOf(found.step));
    const { client } = this.#options;
    switch (step.does) {
      case 'delete':
        this.codes.push((await client.send('DELETE', path, step.options)).code);
        return;
      case 'own': {
        const ownerReferences = step.owners.map((owner) => this.#reference(owner));
        this.codes.push((await client.send('PATCH', path, { metadata: { ownerReferences } }, 'application/merge-patch+json')).code);
        return;
      }
      case 'release': {
        const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': [HOLD] } };
        this.codes.push((await client.send('PATCH', path, patch, 'application/strategic-merge-patch+json')).code);
        return;
      }
      default:
        return step satisfies never;
    }
  }

  namespaceIs(namespace: string): boolean {
    return namespace === this.#namespace('home') || namespace === this.#namespace('away');
  }

  #namespace(place: Place): string {
    return place === 'cluster' ? '' : `${this.name}-${place}`;
  }

  #nameOf({ place, object }: CreateStep): string {
    return place === 'cluster' ? `${this.name}-o${object}` : `o${object}`;
  }

  #reference({ to, wrong, blocks }: OwnerChoice): object {
    const found = this.#objects.get(to);
    const step = found?.step ?? this.script.objects[to];
    const right = step?.kind ?? 'CronJob';
    const { kind, apiVersion } =
      wrong === 'type' ? { kind: 'Widget', apiVersion: 'example.com/v1' } : kindCase(wrong === 'kind' ? wrongKind(right) : right);
    return {
      kind,
      apiVersion,
      name: wrong === 'name' ? 'nobody' : step === undefined ? `o${to}` : this.#nameOf(step),
      uid: found === undefined || wrong === 'uid' ? `nobody-${this.name}-${to}` : found.uid,
      ...(blocks === undefined ? {} : { blockOwnerDeletion: blocks }),
    };
  }
}

/** The steps of the same number are done together; then the server comes to rest. */
export async function playAll(scripts: readonly Script[], options: PlayOptions): Promise<readonly Played[]> {
  const performances = scripts.map((script, index) => new Performance(script, index, options));
  // Objects with wrong references do not last, and what others see of them until then is a race.
  const [right, wrong] = [
    performances.filter(({ script }) => script.references === 'right' || script.references === 'namespace'),
    performances.filter(({ script }) => script.references === 'wrong' || script.references === 'unserved'),
  ];
  await each(performances, ({ createNamespaces }) => createNamespaces());
  await each(right, async ({ script, create }) => {
    for (const step of script.objects) await create(step);
  });
  await settle(options);
  for (let at = 0; wrong.some(({ script }) => at < script.objects.length); at++) {
    await each(wrong, async ({ script, create }) => {
      const step = script.objects[at];
      if (step !== undefined) await create(step);
    });
    await settle(options);
  }
  for (let at = 0; performances.some(({ script }) => at < script.steps.length); at++) {
    await each(performances, async (performance) => {
      const step = performance.script.steps[at];
      if (step !== undefined) await performance.perform(step);
    });
    await settle(options);
  }
  const left = await readAll(options);
  const namespaces = await readNamespaces(options);
  const events = await readEvents(options);
  return performances.map((performance) => ({
    codes: performance.codes,
    left: linesOf(performance, left),
    namespaces: namespaceLines(performance, namespaces),
    events: eventsOf(performance, events),
  }));
}

async function each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  const lane = async () => {
    for (const one of rest) await act(one);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, lane));
}

interface Read {
  readonly kind: string;
  readonly item: Item;
}

async function readAll({ client, prefix }: PlayOptions): Promise<readonly Read[]> {
  const lists = await Promise.all(
    KINDS.map(async (kind) => {
      const { code, body } = await client.send('GET', `${everywherePath(kind)}?labelSelector=batch%3D${prefix}`);
      if (code !== 200) throw new Error(`a list of ${kind.resource}: ${code}`);
      return (body as { readonly items: readonly Item[] }).items.map((item) => ({ kind: kind.kind, item }));
    }),
  );
  return lists.flat();
}

interface NamespaceItem extends Item {
  readonly spec: { readonly finalizers?: readonly string[] };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
  };
}

async function readNamespaces({ client, prefix }: PlayOptions): Promise<readonly NamespaceItem[]> {
  const { code, body } = await client.send('GET', `${NAMESPACES}?labelSelector=batch%3D${prefix}`);
  if (code !== 200) throw new Error(`a list of namespaces: ${code}`);
  return (body as { readonly items: readonly NamespaceItem[] }).items;
}

async function readEvents({ client }: PlayOptions): Promise<readonly EventItem[]> {
  const { code, body } = await client.send('GET', '/api/v1/events');
  if (code !== 200) throw new Error(`a list of events: ${code}`);
  return (body as { readonly items: readonly EventItem[] }).items;
}

async function settle(options: PlayOptions): Promise<void> {
  const begun = performance.now();
  let before = '';
  for (let since = begun; performance.now() - since < options.quietMs;) {
    if (performance.now() - begun > SETTLE_MS) throw new Error(`the server did not come to rest in ${SETTLE_MS} ms`);
    const now = createHash('sha256')
      .update(JSON.stringify([await readAll(options), await readNamespaces(options)]))
      .digest('hex');
    if (now !== before) since = performance.now();
    before = now;
    await pause(options.quietMs / POLLS);
  }
}

export interface LeftObject {
  /** Of this and of the owners: as the script calls them. */
  readonly uid: string;
  readonly kind: string;
  readonly isDeleting: boolean;
  readonly finalizers: readonly string[];
  readonly owners: readonly string[];
}

export const objectLine = ({ uid, kind, isDeleting, finalizers, owners }: LeftObject): string =>
  `${uid} ${kind}${isDeleting ? ' deleting' : ''} finalizers ${JSON.stringify([...finalizers].sort())} owners ${JSON.stringify(owners)}`;

/**
 * With a namespace, dependents and owners are deleted at once: which is looked at first decides what is left of the
 * references, so these are not compared.
 */
function linesOf({ uids, script }: Performance, all: readonly Read[]): readonly string[] {
  const isShown = ({ deletionTimestamp }: Item['metadata']) => deletionTimestamp === undefined || script.references !== 'namespace';
  return all
    .filter(({ item: { metadata } }) => uids.has(metadata.uid))
    .map(({ kind, item: { metadata } }) =>
      objectLine({
        uid: uids.get(metadata.uid) ?? '',
        kind,
        isDeleting: metadata.deletionTimestamp !== undefined,
        finalizers: metadata.finalizers ?? [],
        owners: (isShown(metadata) ? (metadata.ownerReferences ?? []) : []).map(
          ({ uid }) => uids.get(uid) ?? uid.replace(/^nobody-.*-/, '?o'),
        ),
      }),
    )
    .sort();
}

const namespaceLines = (performance: Performance, all: readonly NamespaceItem[]): readonly string[] =>
  all
    .filter(({ metadata: { name } }) => performance.namespaceIs(name))
    .map(({ metadata: { name, finalizers = [] }, spec, status: { phase, conditions = [] } }) => {
      const told = conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`).sort();
      return `namespace ${name.replace(performance.name, '')} ${phase} ${JSON.stringify([finalizers, spec.finalizers ?? [], told])}`;
    })
    .sort();

/** Each only once: the count depends on the order of events. */
function eventsOf(performance: Performance, events: readonly EventItem[]): readonly string[] {
  const lines = events
    .filter(
      ({ involvedObject: { namespace = '', name = '' } }) => performance.namespaceIs(namespace) || name.startsWith(`${performance.name}-o`),
    )
    .map(({ type, reason, message, involvedObject }) => {
      const named = [...performance.uids].reduce((text, [uid, name]) => text.replaceAll(uid, name), message);
      return `${type} ${reason} of ${involvedObject.name ?? ''}: ${named}`.replaceAll(performance.name, '…');
    });
  return [...new Set(lines)].sort();
}
