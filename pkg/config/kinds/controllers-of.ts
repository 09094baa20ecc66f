/** Looks up the controllers of a component by any of their names. */
import type { ConfigKindName } from './config-kind.ts';
import { KNOWN_CONTROLLERS } from './controllers.gen.ts';
import type { KnownController } from './known-controllers.ts';

/** In the order in which the component starts them; empty for a kind without a component. */
export const controllersOf = (kind: ConfigKindName): readonly KnownController[] => KNOWN_CONTROLLERS.controllers[kind] ?? [];

/** Maps each name of a controller to the canonical one. */
export const canonicalNames = (kind: ConfigKindName): ReadonlyMap<string, string> =>
  new Map(controllersOf(kind).flatMap(({ name, aliases }) => [name, ...aliases].map((each): [string, string] => [each, name])));

/** Finds a controller by its current or an older name. */
export const controllerNamed = (kind: ConfigKindName, name: string): KnownController | undefined =>
  controllersOf(kind).find((controller) => controller.name === name || controller.aliases.includes(name));
