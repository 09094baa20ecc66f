/** Feature gates as far as controllers need them: those that were set on a command line, and the defaults of the others. */
import { KNOWN_CONTROLLERS } from '../kinds/controllers.gen.ts';

/** By name what was set. `AllAlpha` and `AllBeta` stand for all gates of their stage that are not named themselves. */
export type FeatureGates = ReadonlyMap<string, boolean>;

const STAGE_OF_GROUP: ReadonlyMap<string, string> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

const NAME = /^[A-Za-z][A-Za-z0-9]*$/;

/**
 * `Name=true,Other=false`, as `--feature-gates` has it: the last of several for a name counts. Names need not be known: components have many more gates
 * than those that decide over controllers. Throws an Error that says what is wrong.
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

/** All that the components take for a truth value. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text): [string, boolean] => [text, true]),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text): [string, boolean] => [text, false]),
]);

export interface GateState {
  readonly isOn: boolean;
  /** Half a sentence: `which is off by default`. */
  readonly why: string;
}

export function gateState(name: string, gates: FeatureGates): GateState {
  const own = gates.get(name);
  if (own !== undefined) return { isOn: own, why: `which is set to ${String(own)}` };
  const known = KNOWN_CONTROLLERS.featureGates[name];
  const byDefault = known?.onByDefault === true;
  for (const [group, stage] of STAGE_OF_GROUP) {
    const whole = gates.get(group);
    if (whole !== undefined && known?.stage === stage)
      return { isOn: whole, why: `which ${group}=${String(whole)} scheduler ${whole ? 'on' : 'off'}` };
  }
  return { isOn: byDefault, why: `which is ${byDefault ? 'on' : 'off'} by default` };
}
