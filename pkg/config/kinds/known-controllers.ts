/** The controllers of the real controller managers, generated from `controllers.json`. */
import type { ConfigKindName } from './config-kind.ts';

export interface KnownController {
  readonly name: string;
  /** Older names, which `Controllers` also accepts. */
  readonly aliases: readonly string[];
  /** Whether `*` enables it. */
  readonly enabledByDefault: boolean;
  /** All of them must be on. */
  readonly featureGates: readonly string[];
  /** Paths of the fields that configure it. */
  readonly configuredBy: readonly string[];
  /** For users: what else is required for it to run. */
  readonly alsoNeeds?: string;
  /** Known to the cluster component, but only run by the cloud component. */
  readonly cloudProvider?: boolean;
  /** The first release with it. */
  readonly since?: string;
  /** With an empty file. */
  readonly runsByDefault: boolean;
}

export interface KnownControllers {
  readonly controllers: Readonly<Partial<Record<ConfigKindName, readonly KnownController[]>>>;
  readonly featureGates: Readonly<Record<string, { readonly onByDefault: boolean; readonly stage: string; readonly asOf: string }>>;
  readonly migration: {
    /** Valid values of `component`. */
    readonly components: readonly string[];
    readonly builtIn: {
      readonly leaderName: string;
      readonly resourceLock: string;
      readonly controllerLeaders: readonly { readonly name: string; readonly component: string }[];
    };
    /** Widely used names that have no effect in current releases, and the intended ones. */
    readonly effectlessNames: Readonly<Record<string, string>>;
  };
}
