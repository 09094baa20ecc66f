/** What a write costs while many watch something else: it should not depend on how many. */
import { generateLoad } from './load-generator.ts';
import type { Objects } from './objects.ts';
import { resident } from './process-figures.ts';
import type { Report } from './report.ts';
import { bodyOf, pathOf, withBody } from './sample-object.ts';
import { openWatchers } from './watchers.ts';

const WRITTEN = 0;

/**
 * Each of `watchers` waits for an object of its own that never comes; one client replaces another object, one write
 * after the other.
 */
export async function idleRow(objects: Objects, report: Report, seconds: number, watchers: number): Promise<void> {
  const { target, bulkBytes } = objects;
  let delivered = 0;
  const opened = await openWatchers(objects, watchers, {
    delivered: () => delivered++,
    query: (index) => `&fieldSelector=metadata.name%3Didle-${index}`,
  });
  try {
    let sequence = 0;
    const { perSecond, details } = await generateLoad({
      target,
      clients: 1,
      seconds,
      work: async (connection) =>
        (await connection.send(withBody('PUT', pathOf(WRITTEN), bodyOf(WRITTEN, bulkBytes, ++sequence)))).code === 200,
    });
    const memory = target.own === undefined ? undefined : resident(target.own.pid());
    report.add({
      target: target.name,
      name: `put, 1 client, ${watchers.toLocaleString('en-US')} idle watchers`,
      value: perSecond,
      unit: '/s',
      details: {
        ...details,
        ...(memory === undefined ? {} : { resident: memory.residentMb }),
        closed: opened.all.filter((watcher) => !watcher.isOpen()).length,
        ...(delivered === 0 ? {} : { delivered }),
      },
      at: { series: 'put beside idle watchers', over: 'watchers', x: watchers },
    });
  } finally {
    await opened.close();
  }
}
