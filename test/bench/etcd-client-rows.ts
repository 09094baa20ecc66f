/**
 * The same etcd, asked by its plain client without any server between: what a read, a write and a range of everything
 * cost at the least.
 */
import { Etcd3 } from 'etcd3';
import type { Objects } from './objects.ts';
import { REFERENCE } from './options.ts';
import type { Report } from './report.ts';
import { OBJECT_BYTES } from './sample-object.ts';

/** Where the server keeps the objects that are measured. */
const STORED = '/registry/batch/cronjobs/';
/** Keys of our own, outside the server's prefix; removed in the end. */
const WRITTEN = '/bench-etcd-client/';
const WRITTEN_KEYS = 1000;
const CLIENTS = 16;
const SAMPLED_KEYS = 1000;

/**
 * On the etcd of the server of `objects`, if it has one. The client runs in this process, as the clients of all other
 * rows do.
 */
export async function etcdClientRows(objects: Objects, report: Report, seconds: number): Promise<void> {
  const endpoint = objects.target.own?.etcd?.endpoint;
  if (endpoint === undefined || objects.target.name === REFERENCE) return;
  // One answer holds the whole range.
  const client = new Etcd3({ hosts: endpoint, grpcOptions: { 'grpc.max_receive_message_length': -1 } });
  const add = (name: string, value: number) => {
    report.add({ target: objects.target.name, name: `etcd client: ${name}`, value, unit: '/s', details: {} });
  };
  try {
    const keys = await client.getAll().prefix(STORED).limit(SAMPLED_KEYS).keys();
    if (keys.length === 0) throw new Error(`etcd has no keys under ${STORED}`);
    const get = (index: number) => client.get(keys[(index * 7919) % keys.length] ?? '').buffer();
    add(`get, ${CLIENTS} at a time`, await rate(CLIENTS, seconds, get));
    const value = Buffer.alloc(OBJECT_BYTES, 'x');
    const put = (index: number) =>
      client
        .put(`${WRITTEN}${index % WRITTEN_KEYS}`)
        .value(value)
        .exec();
    add(`put, ${CLIENTS} at a time`, await rate(CLIENTS, seconds, put));
    const range = () => client.getAll().prefix(STORED).buffers();
    add(`range of ${objects.label}`, await rate(1, seconds, range));
  } finally {
    await client.delete().prefix(WRITTEN).exec();
    client.close();
  }
}

/** Calls per second of `clients` that each wait for their own. */
async function rate(clients: number, seconds: number, call: (index: number) => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let done = 0;
  let index = 0;
  const one = async (): Promise<void> => {
    do {
      await call(index++);
      done++;
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: clients }, one));
  return (done * 1000) / (performance.now() - begin);
}
