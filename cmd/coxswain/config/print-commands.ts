/** The `config` commands that print whole configurations: `defaults` and `view`. */
import { DEFAULT_GROUP_SUFFIX } from '../../../pkg/apis/group-suffix.ts';
import { changedValues, starterValues } from '../../../pkg/config/print/changed-values.ts';
import { printCommented } from '../../../pkg/config/print/print-commented.ts';
import { printYaml } from '../../../pkg/config/print/print-yaml.ts';
import { kindNamed, kindNames } from '../../../pkg/config/read/type-meta.ts';
import { nearestName } from '../../../pkg/config/read/nearest-name.ts';
import { UsageError } from '../flag.ts';
import { withColor } from './color.ts';
import { DEFAULTS_FLAGS, VIEW_FLAGS } from './config-flags.ts';
import { onlyArgument, readFileArguments } from './file-arguments.ts';
import { type CommandOutput, openValid, type Streams } from './open-config.ts';

/** Throws UsageError. */
export function printDefaults(args: readonly string[]): CommandOutput {
  const given = readFileArguments('config defaults', Object.values(DEFAULTS_FLAGS), args);
  const output = given.required(DEFAULTS_FLAGS.output);
  const hasComments = given.required(DEFAULTS_FLAGS.comments);
  const suffix = given.value(DEFAULTS_FLAGS.groupSuffix) ?? DEFAULT_GROUP_SUFFIX;
  const name = onlyArgument('config defaults', 'KIND', given);
  const named = kindNamed(name);
  if (named === undefined) throw new UsageError(`there is no kind ${JSON.stringify(name)}; ${kindHint(name)}`);
  const document = starterValues(named.kind.kind, suffix);
  if (output === 'json') return { text: printJson([document]), exitCode: 0 };
  return { text: hasComments ? printCommented(document, named.kind.kind) : printYaml([document]), exitCode: 0 };
}

/** Suggestions for an unknown kind. */
function kindHint(name: string): string {
  const near = nearestName(name, kindNames());
  return near === undefined ? `known are ${kindNames().join(', ')}` : `did you mean ${near}?`;
}

/** Throws UsageError. */
export async function viewConfig(args: readonly string[], streams: Streams): Promise<CommandOutput> {
  const given = readFileArguments('config view', Object.values(VIEW_FLAGS), args);
  const [output, onlyChanged] = [given.required(VIEW_FLAGS.output), given.required(VIEW_FLAGS.onlyChanged)];
  const stderr = withColor(streams.stderr, given.required(VIEW_FLAGS.color));
  const opened = await openValid(onlyArgument('config view', 'FILE', given), { ...streams, stderr });
  if (!('documents' in opened)) return opened;
  const documents = opened.documents.map((document) => (onlyChanged ? changedValues(document) : document.config));
  return { text: output === 'yaml' ? printYaml(documents) : printJson(documents), exitCode: 0 };
}

/** A single document as an object, several as an array. */
const printJson = (documents: readonly unknown[]): string =>
  `${JSON.stringify(documents.length === 1 ? documents[0] : documents, undefined, 2)}\n`;
