/**
 * Random histories of a collection over HTTP: writes of every sort, lists, pages and watches that begin anywhere. Every
 * answer and every stream must be what a log of the changes says. A difference is shrunk to a short story;
 * `PROPERTY_RUNS` asks for more stories.
 */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns, propertyTimeoutMs } from '../support/property-runs.ts';
import { describeServer } from '../support/stores.ts';
import { CheckedCollection } from './checked-collection.ts';
import { MODEL_KINDS } from './model-kinds.ts';
import { Story, steps } from './steps.ts';

const STORIES = 10;

describeServer('Random histories', (api) => {
  it.each(['jobs', 'events'] as const)(
    'of %s are listed, paged and watched exactly as they happened',
    async (name) => {
      let run = 0;
      let taken = 0;
      const property = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 60, size: 'max' }), async (story) => {
        const told = new Story(await CheckedCollection.open(api, MODEL_KINDS[name], `${name}-${++run}`));
        try {
          for (const step of story) await told.take(step);
          await told.finish();
          taken += story.length;
        } finally {
          told.close();
        }
      });
      // Shrinking a story that waits for an event that never comes takes long: what it has come to in time is shown.
      await fc.assert(property, { ...propertyRuns(STORIES), interruptAfterTimeLimit: propertyTimeoutMs - 5000 });
      expect(taken).toBeGreaterThan(100);
    },
    propertyTimeoutMs,
  );
});
