/** Feature gates that affect controllers: those set on a command line, and the defaults of the others. */
import { KNOWN_CONTROLLERS } from '../kinds/controllers.gen.ts';

/** Explicitly set gates by name. `AllAlpha` and `AllBeta` apply to all other gates of that stage. */
export type FeatureGates = ReadonlyMap<string, boolean>;

const STAGE_OF_GROUP: ReadonlyMap<string, string> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

const NAME = /^[A-Za-z][A-Za-z0-9]*$/;

/**
 * Parses `--feature-gates`: `Name=true,Other=false`; the last value for a name counts. Unknown names are accepted,
 * since components have many gates that do not affect controllers. Throws an Error with a message for the user.
 */
export function parseFeatureGates(text: string): FeatureGates {
  const gates = new Map<string, boolean>();
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [name = '', value, ...rest] = part.split('=').map((each) => each.trim());
    if (!NAME.test(name) || value === undefined || rest.length > 0)
      throw new Error(`${JSON.stringify(part)} is not NAME=true or NAME=false`);
    const isOn = BOOLEANS.get(value);
    if (isOn === undefined) throw new Error(`${JSON.stringify(value)} is not true or false, for the feature gate ${name}`);
    gates.set(name, isOn);
  }
  return gates;
}

/** All spellings that the components accept. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text): [string, boolean] => [text, true]),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text): [string, boolean] => [text, false]),
]);

/** `why`: a clause such as `which is off by default`. */
export function gateState(name: string, gates: FeatureGates): { readonly isOn: boolean; readonly why: string } {
  const explicit = gates.get(name);
  if (explicit !== undefined) return { isOn: explicit, why: `which is set to ${String(explicit)}` };
  const known = KNOWN_CONTROLLERS.featureGates[name];
  const byDefault = known?.onByDefault === true;
  for (const [group, stage] of STAGE_OF_GROUP) {
    const groupValue = gates.get(group);
    if (groupValue !== undefined && known?.stage === stage)
      return { isOn: groupValue, why: `which ${group}=${String(groupValue)} turns ${groupValue ? 'on' : 'off'}` };
  }
  return { isOn: byDefault, why: `which is ${byDefault ? 'on' : 'off'} by default` };
}
