/** A case: requests to both servers about a few objects that no other case uses, until their answers drift apart. */
import type { ObjectShape } from '../../pkg/apis/type-shape.ts';
import type { Client } from './client.ts';
import { compareOutcomes, type Difference } from './compare.ts';
import { Draw } from './draw.ts';
import { toOutcome, type Clock, type Outcome } from './outcome.ts';
import { allPlaces, rootPlace } from './places.ts';
import { Placeholders } from './placeholders.ts';
import { chooseRequest } from './requests/choose-request.ts';
import { itemPath, type CaseState, type PlannedRequest } from './requests/request.ts';
import type { Target } from './targets.ts';
import { isList, isObject, memberOf, replacedAt, valueAt, type Tree, type TreeObject } from './tree.ts';

const REQUESTS_PER_CASE = 12;
const NAMES = ['one', 'two', 'three'];
/** A read may be answered from a cache that has not seen the last write yet. */
const READ_TRIES = 4;
const READ_PAUSE_MS = 100;

export interface CaseOptions {
  readonly seed: string;
  readonly number: number;
  readonly target: Target;
  readonly reference: Client;
  readonly own: Client;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  /** Told every request with its answers. */
  readonly trace?: (request: PlannedRequest, reference: Outcome, own: Outcome) => void;
}

export interface Finding {
  readonly target: Target;
  readonly number: number;
  readonly request: PlannedRequest;
  readonly differences: readonly Difference[];
  readonly reference: Outcome;
  readonly own: Outcome;
}

/** What is found is told to `report`; resolves with the number of requests that each server got. */
export async function runCase(options: CaseOptions, report: (finding: Finding) => void): Promise<number> {
  const { target, number, seed } = options;
  const draw = new Draw(`${seed} ${target.name} ${number}`);
  const sides = [options.reference, options.own].map((client) => ({ client, placeholders: new Placeholders() }));
  // A kind and its views have the same objects.
  const namespace = `case-${number}-${target.definition.group.replaceAll('.', '-')}`.replace(/-$/, '');
  const names = NAMES.map((name) => target.nameOf(`${name}-${number}`, namespace));
  const objects = new Map<string, TreeObject>();
  let continueToken: string | undefined;
  let count = 0;

  const ask = async (request: PlannedRequest): Promise<readonly [Outcome, Outcome]> => {
    count++;
    const [reference, own] = await Promise.all(
      sides.map(async ({ client, placeholders }) => {
        const answer = await client.send(request, placeholders, target.format);
        return toOutcome(answer, { placeholders, clock: options.clock, generateName: request.generateName });
      }),
    );
    if (reference === undefined || own === undefined) throw new Error('no answer');
    return [reference, own];
  };

  const step = async (request: PlannedRequest): Promise<boolean> => {
    let [reference, own] = await ask(request);
    let differences = compareOutcomes(reference, own);
    for (let tries = 1; isRepeatable(request) && differences.length > 0 && tries < READ_TRIES; tries++) {
      await options.pause(READ_PAUSE_MS);
      [reference, own] = await ask(request);
      differences = compareOutcomes(reference, own);
    }
    options.trace?.(request, reference, own);
    if (differences.length > 0) report({ target, number, request, differences, reference, own });
    if (hasDriftedApart(request, reference, own, differences)) return false;
    // An empty value and null differ unseen in Kubernetes' store (docs/compatibility.md), so later writes would.
    if (hasEmptyBytes(target.shape, reference.body) || hasEmptyBytes(target.shape, request.body?.tree)) return false;
    continueToken = continueTokenOf(reference.body);
    remember(objects, names, reference, request);
    return true;
  };

  for (let index = 0; index < REQUESTS_PER_CASE; index++) {
    const state: CaseState = {
      target,
      namespace,
      names,
      label: ['case', `c${number}`],
      objects,
      ...(continueToken === undefined ? {} : { continueToken }),
    };
    const request = chooseRequest(draw, state);
    if (!(await step(request))) return count;
    // Deletes need not say whether the object is still there.
    if (request.method === 'DELETE') {
      for (const name of [...objects.keys()]) if (!(await step(plainGet(state, name)))) return count;
    }
  }
  return count;
}

/** A generated name may be right on one server and wrong on the other. */
const isRepeatable = ({ method, generateName }: PlannedRequest): boolean => method === 'GET' || generateName !== undefined;

/** Whether the objects of the two may be different now. Kubernetes may answer 406 to a write that it has done. */
function hasDriftedApart({ method }: PlannedRequest, reference: Outcome, own: Outcome, differences: readonly Difference[]): boolean {
  if (reference.code === 406 || own.code === 406) return method !== 'GET';
  return differences.length > 0 && (reference.code < 400 || own.code < 400);
}

const hasEmptyBytes = (shape: ObjectShape, tree: Tree | undefined): boolean =>
  tree !== undefined &&
  allPlaces(rootPlace(shape, tree)).some(
    ({ shape: type, parent, value }) => type?.shape === 'bytes' && parent === 'map' && (value === '' || value === null),
  );

const plainGet = (state: CaseState, name: string): PlannedRequest => ({
  verb: 'get after delete',
  method: 'GET',
  path: itemPath(state, name),
  query: [],
  headers: { accept: 'application/json' },
});

function continueTokenOf(body: Tree): string | undefined {
  const token = valueAt(body, ['metadata', 'continue']);
  return typeof token === 'string' && token.startsWith('{{') ? token : undefined;
}

/** Takes over what the answer says about the objects of the case. */
function remember(objects: Map<string, TreeObject>, names: readonly string[], { code, body }: Outcome, request: PlannedRequest): void {
  const isDryRun = request.query.some(([name, value]) => name === 'dryRun' && value === 'All');
  if (isDryRun) return;
  const requested = names.find((name) => request.path.includes(`/${encodeURIComponent(name)}`));
  if (code === 404 && request.method === 'GET' && requested !== undefined) objects.delete(requested);
  if (code >= 300 || request.method === 'DELETE' || isList(memberOf(body, 'items'))) return;
  const name = valueAt(body, ['metadata', 'name']);
  const isWhole = isObject(body) && memberOf(body, 'kind') !== 'PartialObjectMetadata' && memberOf(body, 'kind') !== 'Table';
  if (typeof name === 'string' && isWhole && names.includes(name)) objects.set(name, withKnownOrder(body));
}

/** Several entries of managedFields are ordered by their times, which the two servers have of their own. */
function withKnownOrder(object: TreeObject): TreeObject {
  const path = ['metadata', 'managedFields'];
  const entries = valueAt(object, path);
  const changed = isList(entries) && entries.length > 1 ? replacedAt(object, path, undefined) : object;
  return isObject(changed) ? changed : object;
}
