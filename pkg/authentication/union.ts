import { type InvalidCredentials, refusalOf, unauthorizedBy } from './unauthorized.ts';

type MaybePromise<T> = Promise<T> | T;

/** Undefined: the input is none of its own. Throws Unauthorized if it is, but invalid. */
type Attempt<Input, Found> = (input: Input) => MaybePromise<Found | undefined>;

/**
 * The first attempt that finds something decides. Invalid credentials do not prevent a later attempt from succeeding;
 * if none does, the error contains all reasons. Other errors are thrown immediately.
 */
export const firstFound =
  <Input, Found>(attempts: readonly Attempt<Input, Found>[]): Attempt<Input, Found> =>
  (input) =>
    findFrom(attempts, input, 0, []);

// Awaits only promises, because most results are available immediately.
function findFrom<Input, Found>(
  attempts: readonly Attempt<Input, Found>[],
  input: Input,
  from: number,
  refusals: InvalidCredentials[],
): MaybePromise<Found | undefined> {
  for (let at = from; at < attempts.length; at++) {
    try {
      const found = attempts[at]?.(input);
      if (found instanceof Promise) {
        const next = () => findFrom(attempts, input, at + 1, refusals);
        return found.then(
          (result: Found | undefined) => result ?? next(),
          (error: unknown) => {
            refusals.push(refusalOf(error));
            return next();
          },
        );
      }
      if (found !== undefined) return found;
    } catch (error) {
      refusals.push(refusalOf(error));
    }
  }
  if (refusals.length > 0) throw unauthorizedBy(refusals);
  return undefined;
}
