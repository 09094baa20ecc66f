/**
 * The file that says how a webhook is reached: a kubeconfig, whose current context counts. Paths in it are relative to
 * the file, as for kubectl.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { errorMessage } from '../apimachinery/status/error-message.ts';
import { readFileText } from '../config/source/read-text.ts';

export interface WebhookConfig {
  readonly url: URL;
  /** PEM. Absent: the certificates that Node trusts. */
  readonly ca?: string;
  readonly verify: boolean;
  /** The name that the certificate must have. Absent: that of the URL. */
  readonly serverName?: string;
  /** PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** The value of the Authorization header. */
  readonly authorization?: string;
}

type KubeconfigEntry = Readonly<Record<string, unknown>>;

/** Throws an Error that names the file and the field. */
export async function readWebhookConfig(file: string): Promise<WebhookConfig> {
  const read = await readFileText(file);
  if ('failure' in read) throw new Error(`${file}: ${read.failure}`);
  try {
    return await toConfig(asEntry(parse(read.text)), path.dirname(file));
  } catch (error) {
    throw new Error(`${file}: ${errorMessage(error)}`, { cause: error });
  }
}

async function toConfig(config: KubeconfigEntry, folder: string): Promise<WebhookConfig> {
  const current = textOf(config, 'current-context');
  if (current === undefined) throw new Error('current-context is missing');
  const context = named(config, 'contexts', current, 'context');
  const cluster = named(config, 'clusters', textOf(context, 'cluster') ?? '', 'cluster');
  const userName = textOf(context, 'user');
  const user = userName === undefined ? {} : named(config, 'users', userName, 'user');
  const pem = (entry: KubeconfigEntry, field: string) => dataOf(entry, field, folder);
  const [ca, cert, key] = await Promise.all([
    pem(cluster, 'certificate-authority'),
    pem(user, 'client-certificate'),
    pem(user, 'client-key'),
  ]);
  const serverName = textOf(cluster, 'tls-server-name');
  const authorization = await authorizationOf(user, folder);
  return {
    url: urlOf(cluster),
    verify: cluster['insecure-skip-tls-verify'] !== true,
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function urlOf(cluster: KubeconfigEntry): URL {
  const server = textOf(cluster, 'server') ?? '';
  const url = URL.parse(server);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error(`server must be an http or https URL, not "${server}"`);
  return url;
}

async function authorizationOf(user: KubeconfigEntry, folder: string): Promise<string | undefined> {
  const token = textOf(user, 'token') ?? (await fileOf(user, 'tokenFile', folder))?.trim();
  if (token !== undefined) return `Bearer ${token}`;
  const name = textOf(user, 'username');
  return name === undefined ? undefined : `Basic ${Buffer.from(`${name}:${textOf(user, 'password') ?? ''}`).toString('base64')}`;
}

/** `<field>-data` in base64, or the file that the field names. */
async function dataOf(entry: KubeconfigEntry, field: string, folder: string): Promise<string | undefined> {
  const data = textOf(entry, `${field}-data`);
  return data === undefined ? fileOf(entry, field, folder) : Buffer.from(data, 'base64').toString();
}

async function fileOf(entry: KubeconfigEntry, field: string, folder: string): Promise<string | undefined> {
  const name = textOf(entry, field);
  if (name === undefined) return undefined;
  try {
    return await readFile(path.resolve(folder, name), 'utf8');
  } catch (error) {
    throw new Error(`${field}: ${errorMessage(error)}`, { cause: error });
  }
}

function named(config: KubeconfigEntry, list: string, name: string, member: string): KubeconfigEntry {
  const entries = config[list];
  const found = Array.isArray(entries) ? entries.map(asEntry).find((entry) => entry['name'] === name) : undefined;
  if (found === undefined) throw new Error(`${list} has no "${name}"`);
  return asEntry(found[member]);
}

const asEntry = (value: unknown): KubeconfigEntry => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a kubeconfig');
  return value as KubeconfigEntry;
};

/** Empty counts as absent. */
function textOf(entry: KubeconfigEntry, field: string): string | undefined {
  const value = entry[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
