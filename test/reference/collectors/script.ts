/** Random graphs of owners, and what is done to them one step after the other. */
import { Draw } from '../draw.ts';

/** `home` and `away`: a namespace. `cluster`: no namespace. */
export type Place = 'home' | 'away' | 'cluster';

export interface OwnerChoice {
  /** Index of the object. */
  readonly to: number;
  /** What the reference says wrong. `type`: a kind that nobody serves. */
  readonly wrong?: 'uid' | 'name' | 'kind' | 'type';
  readonly blocks: boolean | undefined;
}

export interface CreateStep {
  readonly does: 'create';
  readonly object: number;
  readonly kind: string;
  readonly place: Place;
  readonly owners: readonly OwnerChoice[];
  readonly finalizers: readonly string[];
}

export type Step =
  | CreateStep
  | { readonly does: 'own'; readonly object: number; readonly owners: readonly OwnerChoice[] }
  | { readonly does: 'delete'; readonly object: number; readonly options: DeleteOptions }
  /** Takes the finalizer of others away. */
  | { readonly does: 'release'; readonly object: number }
  /** Of the namespace that everything is in. */
  | { readonly does: 'delete namespace' };

export interface DeleteOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly orphanDependents?: boolean;
}

export interface Script {
  readonly seed: string;
  readonly references: References;
  readonly objects: readonly CreateStep[];
  readonly steps: readonly Step[];
}

export const HOLD = 'example.com/hold';

const NAMESPACED = ['ControllerRevision', 'CronJob', 'PodDisruptionBudget'];
const CLUSTER_SCOPED = 'VolumeAttachment';
const MAX_STEPS = 6;

/** Another kind that is served. */
export const wrongKind = (kind: string): string => (kind === 'CronJob' ? 'ControllerRevision' : 'CronJob');

/**
 * `right`: all references are right when they are made. `wrong`: some are not, or name an owner elsewhere. `unserved`:
 * some name a kind that nobody serves. `namespace`: all are right, and the namespace is deleted meanwhile.
 */
export type References = 'right' | 'wrong' | 'unserved' | 'namespace';

export function drawScript(seed: string, references: References): Script {
  const draw = new Draw(seed);
  const count = 2 + draw.integer(6);
  const shape = draw.weighted<(index: number) => readonly number[]>([
    [2, (index) => (index === 0 ? [] : [index - 1])],
    [2, (index) => (index === 0 ? [] : [draw.integer(index)])],
    [2, (index) => (index === 0 ? [] : index === count - 1 ? range(1, index) : [0])],
    [3, (index) => range(0, index).filter(() => draw.chance(0.4))],
  ]);
  const blocking = draw.pick([[true], [undefined, false], [true, true, false, undefined]]);
  const owner = (to: number): OwnerChoice => ({ to, blocks: draw.pick(blocking), ...wrongness(draw, references) });
  const objects = range(0, count).map((object): CreateStep => {
    const place =
      references === 'right' || references === 'namespace'
        ? 'home'
        : draw.weighted<Place>([
            [12, 'home'],
            [2, 'away'],
            [2, 'cluster'],
          ]);
    return {
      does: 'create',
      object,
      place,
      kind: place === 'cluster' ? CLUSTER_SCOPED : draw.pick(NAMESPACED),
      owners: shape(object).map(owner),
      finalizers: draw.weighted([
        [12, []],
        [3, [HOLD]],
        [1, ['orphan']],
        [1, ['foregroundDeletion']],
      ]),
    };
  });
  const any = () => draw.integer(count);
  const steps = range(0, 1 + draw.integer(MAX_STEPS)).map((): Step =>
    draw.weighted<() => Step>([
      [references === 'namespace' ? 5 : 0, () => ({ does: 'delete namespace' })],
      [6, () => ({ does: 'delete', object: draw.chance(0.5) ? 0 : any(), options: draw.pick(DELETES) })],
      // Later objects as owners of earlier ones make cycles.
      [2, () => ({ does: 'own', object: any(), owners: range(0, 1 + draw.integer(2)).map(() => owner(any())) })],
      [1, () => ({ does: 'own', object: any(), owners: [] })],
      [2, () => ({ does: 'release', object: any() })],
      [
        1,
        () => {
          const { place, kind, finalizers } = draw.pick(objects);
          const again = draw.chance(0.5) ? any() : count;
          return { does: 'create', object: again, place, kind, finalizers, owners: range(0, draw.integer(3)).map(() => owner(any())) };
        },
      ],
    ])(),
  );
  return { seed, references, objects, steps };
}

const DELETES: readonly DeleteOptions[] = [
  {},
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { orphanDependents: true },
  { orphanDependents: false },
];

function wrongness(draw: Draw, references: References): Pick<OwnerChoice, 'wrong'> {
  if (references === 'right' || references === 'namespace' || draw.chance(0.8)) return {};
  return { wrong: draw.pick(references === 'unserved' ? ['type', 'type', 'uid'] : ['uid', 'name', 'kind']) };
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
