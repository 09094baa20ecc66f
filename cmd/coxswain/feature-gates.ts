/** Features that can be turned on and off. None of those that are off by default is built in yet, so none can be turned on. */
export interface FeatureGate {
  readonly name: string;
  readonly stage: 'alpha' | 'beta' | 'stable';
  readonly default: boolean;
  /** False: the feature is not in this version; the gate is known so that a shared list of flags does not fail. */
  readonly available: boolean;
}

export const FEATURE_GATES: readonly FeatureGate[] = [
  { name: 'AllowUnsafeMalformedObjectDeletion', stage: 'alpha', default: false, available: false },
  { name: 'ShardedListAndWatch', stage: 'alpha', default: false, available: false },
];

export type FeatureGates = ReadonlyMap<string, boolean>;

/** `Name=true,Other=false`. Throws Error for a gate that is not known, or not in this version. */
export function parseFeatureGates(text: string): FeatureGates {
  const gates = new Map(FEATURE_GATES.map((gate) => [gate.name, gate.default]));
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [name = '', value = ''] = part.split('=', 2);
    const gate = FEATURE_GATES.find((known) => known.name === name);
    if (gate === undefined) throw new Error(`there is no feature gate ${JSON.stringify(name)}`);
    if (value !== 'true' && value !== 'false') throw new Error(`${name} must be true or false, not ${JSON.stringify(value)}`);
    if (value === 'true' && !gate.available) throw new Error(`${name} is not in this version`);
    gates.set(name, value === 'true');
  }
  return gates;
}
