/**
 * How long the property tests are: short and the same each time, unless `PROPERTY_RUNS` asks for so many random cases
 * of each.
 */
const asked = Number(process.env['PROPERTY_RUNS'] ?? '');

export interface PropertyRuns {
  readonly numRuns: number;
  readonly seed?: number;
  readonly endOnFailure: boolean;
}

/** `usual`: the number of cases in `make test`. */
export const propertyRuns = (usual: number): PropertyRuns =>
  asked > 0 ? { numRuns: asked, endOnFailure: false } : { numRuns: usual, seed: 20260314, endOnFailure: false };

/** Milliseconds that a test with properties may take. */
export const propertyTimeoutMs = asked > 0 ? 3_600_000 : 30_000;
