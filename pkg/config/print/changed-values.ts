/** The values of a document that differ from the defaults. */
import type { ConfigDocument } from '../config-document.ts';
import { memberOf } from '../defaults/document-fields.ts';
import { withDefaults } from '../defaults/with-defaults.ts';
import type { FrozenValues } from '../defaults/with-defaults.ts';
import { KNOWN_CONTROLLERS } from '../kinds/controllers.gen.ts';
import { CONFIG_KINDS } from '../kinds/kinds.gen.ts';
import type { ConfigKind, ConfigKindName } from '../kinds/config-kind.ts';

/** Throws for an unknown kind. */
export function kindOf(name: ConfigKindName): ConfigKind {
  const kind = CONFIG_KINDS.find((each) => each.kind === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}

/** A document of the kind without any settings. */
export const defaultsOfKind = (name: ConfigKindName, suffix: string): FrozenValues => withDefaults({}, { kind: kindOf(name), suffix });

/** A document to start from: all defaults. A migration has no useful defaults, so the built-in one is used. */
export function starterValues(name: ConfigKindName, suffix: string): FrozenValues {
  const defaults = defaultsOfKind(name, suffix);
  if (name !== 'LeaderMigrationConfiguration') return defaults;
  const { builtIn, effectlessNames } = KNOWN_CONTROLLERS.migration;
  const controllerLeaders = builtIn.controllerLeaders.map((leader) => ({ ...leader, name: effectlessNames[leader.name] ?? leader.name }));
  return { ...defaults, ...builtIn, controllerLeaders };
}

/** Omits objects without differences. Loading the result gives the same configuration. */
export function changedValues({ kind, config }: ConfigDocument): FrozenValues {
  const { apiVersion } = config;
  const suffix = apiVersion.slice(kindOf(kind).group.length + 1, apiVersion.indexOf('/'));
  return { apiVersion, kind, ...differences(config, defaultsOfKind(kind, suffix)) };
}

function differences(value: object, fallback: object): FrozenValues {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, own]: [string, unknown]) => {
      const other = memberOf(fallback, name);
      if (isObject(own) && isObject(other)) {
        const inner = differences(own, other);
        return Object.keys(inner).length === 0 ? [] : [[name, inner]];
      }
      return JSON.stringify(own) === JSON.stringify(other) ? [] : [[name, own]];
    }),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
