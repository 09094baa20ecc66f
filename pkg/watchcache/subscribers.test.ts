/** What a subscriber within the process is told. */
import { afterEach, expect, it } from '@jest/globals';
import { FakeBackend } from '../../test/support/fake-backend.ts';
import { waitFor } from '../../test/support/wait.ts';
import { jsonOf, keyOf, itemEncodingOf, widgets } from '../../test/support/widgets.ts';
import { systemClock } from '../apimachinery/time/clock.ts';
import { type LogFields, silentLog } from '../observability/logging.ts';
import { StorageError } from '../storage/errors.ts';
import { keyText } from '../storage/keys.ts';
import { openWatchCache } from './open-watch-cache.ts';
import type { AppliedChange, ResourceCache, WatchCache } from './watch-cache.ts';

const open: WatchCache[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((cache) => cache.close()));
});

async function openFilled(backend: FakeBackend, log = silentLog) {
  const cache = openWatchCache({ backend, resources: [widgets], clock: systemClock, log, initialEventsEnd: 'example.com/end' });
  open.push(cache);
  await cache.filled();
  return { cache, resource: cache.resource('widgets.example.com') };
}

const sizeOf = (object: AppliedChange['current']): string => object?.labels?.['size'] ?? '-';

/** Notes `name: previous size → current size`, and that the cache shows the state after the change. */
function follow(resource: ResourceCache): { readonly told: string[]; readonly end: () => void } {
  const told: string[] = [];
  const end = resource.subscribe({
    changed: ({ key, previous, current, isDeleted }) => {
      expect(resource.get(key)).toBe(current);
      told.push(`${key.slice(key.lastIndexOf('/') + 1)}: ${sizeOf(previous)} → ${isDeleted ? 'deleted' : sizeOf(current)}`);
    },
    replaced: () => told.push('replaced'),
  });
  return { told, end };
}

const [x, y] = [keyOf('a', 'x'), keyOf('a', 'y')];

it('tells every change after the snapshot of the same tick, once and in order, until it is ended', async () => {
  const backend = new FakeBackend();
  const { cache, resource } = await openFilled(backend);
  backend.put(x, jsonOf('a', 'x', { size: '1' }));
  await cache.isFresh();
  backend.put(x, jsonOf('a', 'x', { size: '2' }));
  const { told, end } = follow(resource);
  const objects = [...resource.snapshot().page({ selection: {} }).objects].map(sizeOf);
  backend.put(y, jsonOf('a', 'y', { size: '3' }));
  backend.delete(x);
  await cache.isFresh();
  expect({ objects, told }).toEqual({ objects: ['1'], told: ['x: 1 → 2', 'y: - → 3', 'x: 2 → deleted'] });
  end();
  backend.delete(y);
  await cache.isFresh();
  expect(told).toHaveLength(3);
});

it('goes on, and logs it, when a subscriber throws', async () => {
  const backend = new FakeBackend();
  const lines: unknown[] = [];
  const log = { ...silentLog, error: (message: string, fields?: LogFields) => lines.push({ message, ...fields }) };
  const { cache, resource } = await openFilled(backend, log);
  const error = new Error('odd');
  const fail = () => {
    throw error;
  };
  resource.subscribe({ changed: fail, replaced: fail });
  const { told } = follow(resource);
  backend.put(x, jsonOf('a', 'x', { size: '1' }));
  await cache.isFresh();
  const [message, name] = ['a subscriber of the watch cache failed', 'widgets.example.com'];
  expect({ told, lines }).toEqual({ told: ['x: - → 1'], lines: [{ message, resource: name, key: keyText(x), error }] });
  backend.hold();
  backend.breakWatch(new StorageError('Compacted', 'compacted'));
  await waitFor(() => told.includes('replaced'), { what: 'the cache to be filled again', everyMs: 1 });
  backend.release();
  expect(lines.slice(1)).toContainEqual({ message, resource: name, error });
});

it('lends the bytes of both states', async () => {
  const backend = new FakeBackend();
  const { cache, resource } = await openFilled(backend);
  const [small, large] = [jsonOf('a', 'x', { size: '1' }), jsonOf('a', 'x', { size: '2' })];
  const first = backend.put(x, small);
  await cache.isFresh();
  const told: (string | undefined)[] = [];
  resource.subscribe({
    changed: ({ previous, current }) => told.push(previous?.itemBytes.toString(), current?.itemBytes.toString()),
    replaced: () => undefined,
  });
  const second = backend.put(x, large);
  await cache.isFresh();
  expect(told).toEqual([itemEncodingOf(small, first), itemEncodingOf(large, second)]);
});

it('does not take a value that cannot be read for a deletion', async () => {
  const backend = new FakeBackend();
  const { cache, resource } = await openFilled(backend);
  backend.put(x, jsonOf('a', 'x', { size: '1' }));
  await cache.isFresh();
  const { told } = follow(resource);
  backend.write(x, Buffer.from('damaged'));
  backend.put(x, jsonOf('a', 'x', { size: '2' }));
  backend.write(x, Buffer.from('damaged'));
  backend.delete(x);
  await cache.isFresh();
  expect(told).toEqual(['x: 1 → -', 'x: - → 2', 'x: 2 → -', 'x: - → deleted']);
});

it('tells that changes were missed, when the new state can be read', async () => {
  const backend = new FakeBackend();
  const { cache, resource } = await openFilled(backend);
  const states: number[] = [];
  resource.subscribe({
    changed: () => undefined,
    replaced: () => states.push(resource.snapshot().size, resource.revision),
  });
  backend.hold();
  const revision = backend.put(x, jsonOf('a', 'x'));
  backend.breakWatch(new StorageError('Compacted', 'compacted'));
  await waitFor(() => states.length > 0, { what: 'the cache to be filled again', everyMs: 1 });
  expect(states).toEqual([1, revision]);
  backend.release();
  expect(await cache.isFresh()).toBe(true);
});
