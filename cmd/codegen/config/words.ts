/** Enumerated values for the schemas: names of controllers and components from `controllers.json`. */
import type { ConfigKindName } from '../../../pkg/config/kinds/config-kind.ts';
import type { KnownControllers } from '../../../pkg/config/kinds/known-controllers.ts';
import type { ConfigFacts } from './facts.ts';
import type { JsonSchema } from '../json-schema.ts';

/** By `Shape.field`. For a list, the schema is that of its items. */
type WordSchemas = ReadonlyMap<string, JsonSchema>;

const CONTROLLERS = 'GenericControllerManagerConfiguration.Controllers';
const CLOUD: ConfigKindName = 'CloudControllerManagerConfiguration';

/** `*`, and each name with and without `-`. Only examples for cloud providers, which add names of their own. */
export function selectorSchemas(facts: ConfigFacts, kind: ConfigKindName): WordSchemas {
  const names = controllersOf(facts, kind).flatMap(({ name, aliases }) => [name, ...aliases]);
  if (names.length === 0) return new Map();
  const words = ['*', ...names, ...names.map((name) => `-${name}`)];
  return new Map([[CONTROLLERS, kind === CLOUD ? { examples: words } : { enum: words }]]);
}

/** Names for leader migration, which spans all components, and the usual values of other fields as examples. */
export function wordSchemas(facts: ConfigFacts): WordSchemas {
  const { components, effectlessNames } = facts.controllers.migration;
  const names = facts.kinds.flatMap(({ kind }) => controllersOf(facts, kind).map(({ name }) => name));
  return new Map<string, JsonSchema>([
    ['ControllerLeaderConfiguration.name', { enum: [...new Set([...names, ...Object.keys(effectlessNames)])] }],
    ['ControllerLeaderConfiguration.component', { enum: components }],
    ['LeaderElectionConfiguration.resourceLock', { examples: ['leases'] }],
    ['ClientConnectionConfiguration.contentType', { examples: ['application/json', 'application/vnd.kubernetes.protobuf'] }],
    ['CloudProviderConfiguration.Name', { examples: ['external'] }],
  ]);
}

const controllersOf = ({ controllers }: ConfigFacts, kind: ConfigKindName): NonNullable<KnownControllers['controllers'][ConfigKindName]> =>
  controllers.controllers[kind] ?? [];
