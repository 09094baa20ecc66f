import type { BackendName } from '../support/test-store.ts';
import { BACKENDS } from '../support/test-store.ts';

interface SharedOptions {
  readonly seed: string;
  readonly backend: BackendName;
  /** A kube-apiserver that was built before. */
  readonly program: string | undefined;
}

export interface CompareOptions extends SharedOptions {
  /** Empty: all. */
  readonly kinds: readonly string[];
  /** Requests to each server. */
  readonly count: number;
  /** Only this case of each kind, with all requests. */
  readonly only: number | undefined;
  /** A file for everything that was found; the terminal shows the most frequent. */
  readonly output: string | undefined;
}

export interface CollectorsOptions extends SharedOptions {
  /** Graphs, apart from those of namespaces and of kinds that are not served. */
  readonly count: number;
  /** A kube-controller-manager that was built before. */
  readonly controllers: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws an error that says which variable is wrong. */
export function parseCompareOptions(env: Environment, newSeed: () => string): CompareOptions {
  return {
    ...parseShared(env, newSeed),
    kinds: given(env, 'KINDS')?.split(',') ?? [],
    count: integer(env, 'COUNT') ?? 20_000,
    only: integer(env, 'CASE'),
    output: given(env, 'OUTPUT'),
  };
}

/** Throws as above. */
export function parseCollectorsOptions(env: Environment, newSeed: () => string): CollectorsOptions {
  return {
    ...parseShared(env, newSeed),
    count: integer(env, 'COUNT') ?? 2000,
    controllers: given(env, 'KUBE_CONTROLLER_MANAGER'),
  };
}

function parseShared(env: Environment, newSeed: () => string): SharedOptions {
  const store = given(env, 'STORE') ?? 'etcd';
  const backend = BACKENDS.find((name) => name === store);
  if (backend === undefined) throw new Error(`STORE is ${BACKENDS.join(' or ')}, not ${store}`);
  return { seed: given(env, 'SEED') ?? newSeed(), backend, program: given(env, 'KUBE_APISERVER') };
}

const given = (env: Environment, name: string): string | undefined => (env[name] === '' ? undefined : env[name]);

function integer(env: Environment, name: string): number | undefined {
  const text = given(env, name);
  if (text !== undefined && !/^\d{1,9}$/.test(text)) throw new Error(`${name} is a number, not ${text}`);
  return text === undefined ? undefined : Number(text);
}
