import {
  createFeatures,
  FEATURE_GATES,
  type FeatureGate,
  type FeatureName,
  type Features,
  isFeatureName,
} from '../../pkg/apimachinery/features/features.ts';

/** As in Go's flags. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'True', 'TRUE', 't', 'T', '1'].map((text) => [text, true] as const),
  ...['false', 'False', 'FALSE', 'f', 'F', '0'].map((text) => [text, false] as const),
]);

/** The defaults of the gates, for help. */
export function describeFeatureGates(): string {
  const gates = Object.entries(FEATURE_GATES);
  const names = (wanted: (gate: FeatureGate) => boolean) => gates.flatMap(([name, gate]) => (wanted(gate) ? [name] : [])).join(', ');
  return `On by default: ${names((gate) => gate.default)}. Off by default: ${names((gate) => !gate.default)}.`;
}

/** `Name=true,Other=false`. Throws Error for an unknown gate. */
export function parseFeatureGates(text: string): Features {
  const given = new Map<FeatureName, boolean>();
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [name = '', ...rest] = part.split('=');
    const value = rest.join('=');
    if (!isFeatureName(name)) {
      throw new Error(`there is no feature gate ${JSON.stringify(name)}; there are ${Object.keys(FEATURE_GATES).join(', ')}`);
    }
    const enabled = BOOLEANS.get(value);
    if (enabled === undefined) throw new Error(`${name} must be true or false, not ${JSON.stringify(value)}`);
    given.set(name, enabled);
  }
  return createFeatures(given);
}
