/** All files generated from the facts of the configuration kinds. */
import type { GeneratedFile } from '../generated-file.ts';
import { generateConfigDocs } from './docs.ts';
import { readConfigFacts } from './facts.ts';
import { generateConfigSchemas } from './schemas.ts';
import { generateConfigTables } from './tables.ts';
import { generateConfigTypes } from './types.ts';

/** `folder`: `pkg/config/kinds`. */
export function generateConfig(folder: string): GeneratedFile[] {
  const facts = readConfigFacts(folder);
  return [generateConfigTypes, generateConfigTables, generateConfigSchemas, generateConfigDocs].flatMap((generator) => generator(facts));
}
