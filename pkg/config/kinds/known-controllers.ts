/** What the real controller managers run: generated from `controllers.json`. */
import type { ConfigKindName } from './config-kind.ts';

export interface KnownController {
  readonly name: string;
  /** Older names, which `Controllers` takes as well. */
  readonly aliases: readonly string[];
  /** Whether `*` is enough. */
  readonly enabledByDefault: boolean;
  /** All must be on. */
  readonly featureGates: readonly string[];
  /** Fields of the document. */
  readonly configuredBy: readonly string[];
  /** For people: what else must hold for it to run. */
  readonly alsoNeeds?: string;
  /** Known in the cluster component, and run by the cloud component only. */
  readonly cloudProvider?: boolean;
  /** First release that has it. */
  readonly since?: string;
  /** With a file that says nothing. */
  readonly runsByDefault: boolean;
}

export interface KnownControllers {
  readonly controllers: Readonly<Partial<Record<ConfigKindName, readonly KnownController[]>>>;
  readonly featureGates: Readonly<Record<string, { readonly onByDefault: boolean; readonly stage: string; readonly asOf: string }>>;
  readonly migration: {
    /** What `component` may say. */
    readonly components: readonly string[];
    readonly builtIn: {
      readonly leaderName: string;
      readonly resourceLock: string;
      readonly controllerLeaders: readonly { readonly name: string; readonly component: string }[];
    };
    /** Names in wide use that do nothing in current releases, and the canonical ones that are meant. */
    readonly effectlessNames: Readonly<Record<string, string>>;
  };
}
