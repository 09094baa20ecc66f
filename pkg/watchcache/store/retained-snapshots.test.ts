import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../apimachinery/time/clock.ts';
import { silentLog } from '../../observability/logging.ts';
import { FakeBackend } from '../../../test/support/fake-backend.ts';
import { jsonOf, keyOf, widgets } from '../../../test/support/widgets.ts';
import { openWatchCache } from '../open-watch-cache.ts';

const SIZE = 200_000;

async function openCache(objects: number) {
  const backend = new FakeBackend();
  const put = (n: number, pad: string): void => void backend.put(keyOf('a', `w${n}`), jsonOf('a', `w${n}`, {}, { pad: pad.repeat(SIZE) }));
  for (let n = 0; n < objects; n++) put(n, 'a');
  const options = { backend, resources: [widgets], clock: systemClock, log: silentLog, initialEventsEnd: 'example.com/end' };
  const cache = openWatchCache(options);
  await cache.filled();
  return { cache, put, resource: cache.resource(widgets.name) };
}

describe('A state retained for later pages', () => {
  it('is dropped if it retains many bytes itself, whatever the others retain', async () => {
    const { cache, put, resource } = await openCache(24);
    const first = resource.snapshot();
    resource.retain(first);
    for (let n = 0; n < 10; n++) put(n, 'b');
    await cache.isFresh();
    const second = resource.snapshot();
    resource.retain(second);
    expect([resource.retained(first.revision), resource.retained(second.revision)]).toEqual([first, second]);
    expect([first.retainedBytes > 10 * SIZE, second.retainedBytes]).toEqual([true, 0]);
    for (let n = 10; n < 20; n++) put(n, 'b');
    await cache.isFresh();
    expect([resource.retained(first.revision), resource.retained(second.revision)]).toEqual([undefined, second]);
    await cache.close();
  });

  it('may retain more of a larger collection', async () => {
    const { cache, put, resource } = await openCache(180);
    const first = resource.snapshot();
    resource.retain(first);
    for (let n = 0; n < 12; n++) put(n, 'b');
    await cache.isFresh();
    expect(resource.retained(first.revision)).toBe(first);
    for (const n of [12, 13]) put(n, 'b');
    await cache.isFresh();
    expect(resource.retained(first.revision)).toBeUndefined();
    await cache.close();
  });
});
