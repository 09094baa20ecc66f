/** Keeps the configuration of flow control up to date with the watch caches of its two kinds. */
import type { FlowConfiguration, FlowSchema, PriorityLevel } from '../flowcontrol/configuration.ts';
import type { RegistryStores, ServedKind } from './registry.ts';

export interface FollowFlowControlOptions {
  readonly stores: RegistryStores;
  readonly groupSuffix: string;
  /** Used until all of it has been stored once. */
  readonly suggested: FlowConfiguration;
  readonly configure: (configuration: FlowConfiguration) => void;
}

/** Must be called before the caches are filled. Throws if one of the kinds is not served. */
export function followFlowControl({ stores, groupSuffix, suggested, configure }: FollowFlowControlOptions): void {
  const served = (resource: string): ServedKind => {
    const found = stores.find(resource, `flowcontrol.apiserver.${groupSuffix}`);
    if (found === undefined) throw new Error(`the resource ${resource} is not served`);
    return found;
  };
  const flowSchemas = served('flowschemas');
  const priorityLevels = served('prioritylevelconfigurations');
  let isBootstrapped = false;
  const read = () => {
    const stored: FlowConfiguration = {
      // The assertions are safe: objects of these kinds, which were checked when they were written.
      flowSchemas: objectsOf(flowSchemas) as readonly FlowSchema[],
      priorityLevels: objectsOf(priorityLevels) as readonly PriorityLevel[],
    };
    const missing: FlowConfiguration = {
      flowSchemas: missingOf(suggested.flowSchemas, stored.flowSchemas),
      priorityLevels: missingOf(suggested.priorityLevels, stored.priorityLevels),
    };
    isBootstrapped ||= missing.flowSchemas.length === 0 && missing.priorityLevels.length === 0;
    configure(
      isBootstrapped
        ? stored
        : {
            flowSchemas: [...stored.flowSchemas, ...missing.flowSchemas],
            priorityLevels: [...stored.priorityLevels, ...missing.priorityLevels],
          },
    );
  };
  // Changes of a tick are read together.
  let isScheduled = false;
  const changed = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      read();
    });
  };
  for (const { cache } of [flowSchemas, priorityLevels]) cache.subscribe({ changed, replaced: changed });
  read();
}

interface NamedSpec {
  readonly name: string;
  readonly uid: string;
  readonly spec: object;
}

const objectsOf = ({ cache, compiled }: ServedKind): readonly NamedSpec[] =>
  Array.from(cache.snapshot().page({ selection: {} }).objects, ({ name, uid, itemBytes }) => {
    const { spec } = compiled.codec.parseStored(itemBytes);
    return { name, uid, spec: spec as object };
  });

const missingOf = <T extends NamedSpec>(wanted: readonly T[], stored: readonly NamedSpec[]): readonly T[] =>
  wanted.filter(({ name }) => !stored.some((each) => each.name === name));
