/** Parses `kind` and `apiVersion` in either spelling. */
import type { ConfigKind } from '../kinds/config-kind.ts';
import { CONFIG_KINDS } from '../kinds/kinds.gen.ts';

export function kindNamed(name: string): { readonly kind: ConfigKind; readonly isOld: boolean } | undefined {
  for (const kind of CONFIG_KINDS) {
    if (kind.kind === name) return { kind, isOld: false };
    if (kind.oldKind === name) return { kind, isOld: true };
  }
  return undefined;
}

export const kindNames = (): string[] => CONFIG_KINDS.map(({ kind }) => kind);

export interface ParsedApiVersion {
  readonly suffix: string;
  readonly version: string;
  /** Whether group or version are those of existing files. */
  readonly isOld: boolean;
  /** The current spelling. */
  readonly current: string;
  /** The spelling of existing files: the text itself if it is one, or `current` if nothing was renamed. */
  readonly old: string;
}

const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_DOMAIN = 253;

/** Undefined if `text` is not an apiVersion of this kind. */
export function parseApiVersion(
  { group, oldGroup = group, version, otherVersions = [], furtherVersions = [] }: ConfigKind,
  text: string,
): ParsedApiVersion | undefined {
  if (text.length > MAX_DOMAIN) return undefined;
  const slash = text.indexOf('/');
  const [fullGroup, givenVersion] = [text.slice(0, slash), text.slice(slash + 1)];
  const own = [group, oldGroup].find((each) => fullGroup.startsWith(`${each}.`));
  if (slash < 0 || own === undefined) return undefined;
  const suffix = fullGroup.slice(own.length + 1);
  if (!DOMAIN.test(suffix) || ![version, ...otherVersions, ...furtherVersions].includes(givenVersion)) return undefined;
  const spelled = furtherVersions.includes(givenVersion) ? givenVersion : version;
  const isOld = own !== group || givenVersion !== spelled;
  return {
    suffix,
    version: givenVersion,
    isOld,
    current: apiVersionOf({ group, version: spelled }, suffix),
    old: isOld ? text : apiVersionOf({ group: oldGroup, version: spelled }, suffix),
  };
}

export const apiVersionOf = ({ group, version }: Pick<ConfigKind, 'group' | 'version'>, suffix: string): string =>
  `${group}.${suffix}/${version}`;
