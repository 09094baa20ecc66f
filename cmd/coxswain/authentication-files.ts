/** The files of authentication, read before anything else is opened, and again when they change. */
import { readFile } from 'node:fs/promises';
import { openReloadedFile, type ReloadedFile } from '../../pkg/apimachinery/files/reloaded-file.ts';
import { errorMessage } from '../../pkg/apimachinery/status/error-message.ts';
import type { Clock } from '../../pkg/apimachinery/time/clock.ts';
import { parseServiceAccountKeys, parseVerificationKeys } from '../../pkg/authentication/service-accounts/keys.ts';
import { readTokenFile, type TokenTable } from '../../pkg/authentication/token-file.ts';
import type { Log } from '../../pkg/observability/logging.ts';
import type { Metrics } from '../../pkg/observability/metrics.ts';
import { UsageError } from './flag.ts';
import type { ServeOptions } from './flags.ts';

export interface AuthenticationFiles {
  /** Undefined without `--token-auth-file`. */
  readonly tokens: ReloadedFile<TokenTable> | undefined;
  /** PEM. Undefined: the key is in the store. */
  readonly signingKey: string | undefined;
  /** PEM of `--service-account-key-file`. */
  readonly verificationKeys: readonly string[];
  /** Ends the polling of files. */
  close(): Promise<void>;
}

export interface FileOptions {
  readonly options: ServeOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Throws UsageError with one sentence that names the flag and the file. */
export async function openAuthenticationFiles(shared: FileOptions): Promise<AuthenticationFiles> {
  const { tokenAuthFile, serviceAccountSigningKeyFile, serviceAccountKeyFile } = shared.options;
  const stop = new AbortController();
  const [tokens, signingKey, verificationKeys] = await Promise.all([
    tokenAuthFile === undefined ? undefined : openFlagFile(shared, '--token-auth-file', tokenAuthFile, readTokenFile, stop.signal),
    serviceAccountSigningKeyFile === undefined
      ? undefined
      : readPem('--service-account-signing-key-file', serviceAccountSigningKeyFile, parseServiceAccountKeys),
    Promise.all((serviceAccountKeyFile ?? []).map((path) => readPem('--service-account-key-file', path, parseVerificationKeys))),
  ]);
  return {
    tokens,
    signingKey,
    verificationKeys,
    close: async () => {
      stop.abort();
      await tokens?.closed;
    },
  };
}

/** A change that is not valid keeps the last valid content. */
async function openFlagFile<Value>(
  { clock, log, metrics }: FileOptions,
  flag: string,
  path: string,
  read: (path: string) => Promise<Value>,
  signal: AbortSignal,
): Promise<ReloadedFile<Value>> {
  const file = flag.replace(/^--/, '');
  const onReload = (problem: string | undefined) => {
    metrics.fileReloadsTotal.with(file, problem === undefined ? 'success' : 'failure').inc();
    if (problem === undefined) log.info('file reloaded', { flag, path });
    else log.error('file reload failed, the last valid content stays in use', { flag, reason: problem });
  };
  return openReloadedFile({ path, read, clock, onReload, signal }).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${errorMessage(error)}`);
  });
}

/** `parse` throws if the file has no usable key. */
async function readPem(flag: string, path: string, parse: (pem: string) => unknown): Promise<string> {
  let pem;
  try {
    pem = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag}: ${path} cannot be read: ${errorMessage(error)}`);
  }
  try {
    parse(pem);
  } catch (error) {
    throw new UsageError(`${flag}: ${path} ${errorMessage(error)}`);
  }
  return pem;
}
