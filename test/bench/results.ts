/** Everything that one run measured, as `--json` writes it. */
import { readFile } from 'node:fs/promises';
import type { Measured } from './check-goals.ts';

export interface Results extends Measured {
  /** RFC 3339, when it ended. */
  readonly at: string;
  readonly machine: Machine;
  readonly objectBytes: number;
  readonly asked: Measured['asked'] & { readonly idle: readonly number[]; readonly seconds: number; readonly rounds: number };
  readonly notes: readonly string[];
}

export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
  readonly cpu: string;
  readonly memoryGb: number;
  /** Of the etcd that was used; absent: none was. */
  readonly etcd?: string;
  /** Where stores kept their data: what is synced to memory costs nothing. */
  readonly data: 'disk' | 'memory';
  /** Version of Kubernetes that the peer was built of; absent: it was not measured. */
  readonly peer?: string;
  /** Version of the Kubernetes whose server was measured beside; absent: it was not. */
  readonly reference?: string;
  /** Processes that ran or wanted to, on average of the minute before the bench began: what else the machine did. */
  readonly loadBefore: number;
  /** The same of the last minute of the bench, which is its own doing too. */
  readonly loadAfter: number;
}

/** Of a file that the bench wrote. */
export async function readResults(file: string): Promise<Results> {
  return JSON.parse(await readFile(file, 'utf8')) as Results;
}
