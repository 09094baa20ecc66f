/** The `yaml` library, loaded when it is needed: that takes longer than reading most files, and few need it. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

export function loadYaml(): typeof Yaml {
  return createRequire(import.meta.url)('#yaml') as typeof Yaml;
}
