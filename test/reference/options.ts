import type { BackendName } from '../support/test-store.ts';
import { BACKENDS } from '../support/test-store.ts';

export interface CompareOptions {
  /** Empty: all. */
  readonly kinds: readonly string[];
  /** Requests to each server. */
  readonly count: number;
  readonly seed: string;
  /** Only this case of each kind, with all requests. */
  readonly only: number | undefined;
  readonly backend: BackendName;
  /** A kube-apiserver that was built before. */
  readonly program: string | undefined;
  /** A file for everything that was found; the terminal shows the most frequent. */
  readonly output: string | undefined;
}

/** Throws an error that says which variable is wrong. */
export function parseCompareOptions(env: Readonly<Record<string, string | undefined>>, newSeed: () => string): CompareOptions {
  const given = (name: string) => (env[name] === '' ? undefined : env[name]);
  const integer = (name: string) => {
    const text = given(name);
    if (text !== undefined && !/^\d{1,9}$/.test(text)) throw new Error(`${name} is a number, not ${text}`);
    return text === undefined ? undefined : Number(text);
  };
  const store = given('STORE') ?? 'etcd';
  const backend = BACKENDS.find((name) => name === store);
  if (backend === undefined) throw new Error(`STORE is ${BACKENDS.join(' or ')}, not ${store}`);
  return {
    kinds: given('KINDS')?.split(',') ?? [],
    count: integer('COUNT') ?? 20_000,
    seed: given('SEED') ?? newSeed(),
    only: integer('CASE'),
    backend,
    program: given('KUBE_APISERVER'),
    output: given('OUTPUT'),
  };
}
