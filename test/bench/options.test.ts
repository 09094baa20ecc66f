import { describe, expect, it } from '@jest/globals';
import { ROWS, parseOptions } from './options.ts';

describe('the options of the bench', () => {
  it('measure every row on both stores when nothing is said', () => {
    const options = parseOptions([]);
    expect([...(options?.rows ?? [])]).toEqual([...ROWS]);
    expect(options).toMatchObject({
      backends: ['etcd', 'embedded'],
      sizes: [1000, 10_000, 100_000],
      idle: [1, 100, 1000, 10_000],
      docs: false,
    });
  });

  it('measure the common rows at 10,000 objects beside the server of Kubernetes', () => {
    expect(parseOptions(['--reference'])).toMatchObject({ reference: true, backends: [], sizes: [10_000], watchers: [1000] });
  });

  it('put sizes and watchers in ascending order', () => {
    expect(parseOptions(['--sizes', '10000,200', '--watchers', '50,1'])).toMatchObject({ sizes: [200, 10_000], watchers: [1, 50] });
  });

  it('start no server where others are named', () => {
    expect(parseOptions(['--url', 'peer=http://127.0.0.1:8080/'])).toMatchObject({
      backends: [],
      urls: [{ name: 'peer', baseUrl: 'http://127.0.0.1:8080' }],
    });
  });

  it.each([
    [['--rows', 'lists'], '--rows knows create, get'],
    [['--rounds', '2.5'], '--rounds wants a whole number'],
    [['--url', 'etcd=http://x'], 'etcd is taken'],
    [['--url', 'http://x', '--url', 'http://y'], 'url is taken'],
    [['--idle', '0'], '--idle wants a number above 0'],
    [['--budget', 'long'], '--budget wants a number above 0'],
    [['--reference', '--peer'], '--reference measures servers of its own'],
    [['--url', 'https://x'], '--url wants [NAME=]http://HOST:PORT'],
  ])('refuse %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });
});
