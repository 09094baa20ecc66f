/** The controllers that a component knows, by each of their names. */
import type { ConfigKindName } from './config-kind.ts';
import { KNOWN_CONTROLLERS } from './controllers.gen.ts';
import type { KnownController } from './known-controllers.ts';

/** In the order in which the component starts them; none for a kind that configures no component. */
export const controllersOf = (kind: ConfigKindName): readonly KnownController[] => KNOWN_CONTROLLERS.controllers[kind] ?? [];

/** By each name of a controller the canonical one. */
export const canonicalNames = (kind: ConfigKindName): ReadonlyMap<string, string> =>
  new Map(controllersOf(kind).flatMap(({ name, aliases }) => [name, ...aliases].map((each): [string, string] => [each, name])));

/** By its name or an older one. */
export const controllerNamed = (kind: ConfigKindName, name: string): KnownController | undefined =>
  controllersOf(kind).find((controller) => controller.name === name || controller.aliases.includes(name));
