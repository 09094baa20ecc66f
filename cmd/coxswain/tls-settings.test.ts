import { describe, expect, it } from '@jest/globals';
import type { Log } from '../../pkg/observability/logging.ts';
import { silentLog } from '../../pkg/observability/logging.ts';
import { CIPHER_SUITES } from '../../pkg/server/lifecycle/cipher-suites.ts';
import { parseServeFlags } from './parse-flags.ts';
import { toTlsSettings } from './tls-settings.ts';

async function settingsFor(args: readonly string[], servesHttp2 = true) {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
  const settings = toTlsSettings(await parseServeFlags(args, {}), servesHttp2, log);
  return { ...settings, suites: settings.ciphers.split(':'), warnings };
}

describe('Settings of TLS', () => {
  it('are TLS 1.2 and suites with ephemeral keys by default', async () => {
    const { minVersion, suites, warnings } = await settingsFor([]);
    expect([minVersion, warnings]).toEqual(['TLSv1.2', []]);
    expect(suites.filter((suite) => !/^(TLS_|ECDHE-)/.test(suite))).toEqual([]);
    expect(suites).toHaveLength(CIPHER_SUITES.filter(({ isInsecure }) => !isInsecure).length);
  });

  it('warn of insecure suites, and know their former names', async () => {
    const names = 'TLS_RSA_WITH_AES_128_CBC_SHA,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256';
    const { suites, warnings } = await settingsFor(['--tls-cipher-suites', names]);
    expect(suites.slice(3)).toEqual(['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-CHACHA20-POLY1305', 'AES128-SHA']);
    expect(warnings).toEqual(["use of insecure cipher 'TLS_RSA_WITH_AES_128_CBC_SHA' detected"]);
  });

  it.each([
    ['VersionTLS10', 'TLSv1.2', 1],
    ['VersionTLS11', 'TLSv1.2', 1],
    ['VersionTLS12', 'TLSv1.2', 0],
    ['VersionTLS13', 'TLSv1.3', 0],
  ])('serve %s from %s on', async (version, minVersion, warnings) => {
    const settings = await settingsFor(['--tls-min-version', version]);
    expect([settings.minVersion, settings.warnings.length]).toEqual([minVersion, warnings]);
  });

  it('want a suite that HTTP/2 needs, unless only TLS 1.3 or HTTP/1.1 is served', async () => {
    const args = ['--tls-cipher-suites', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'];
    await expect(settingsFor(args)).rejects.toThrow('missing an HTTP/2-required AES_128_GCM_SHA256 cipher');
    expect(await settingsFor(args, false)).toMatchObject({ warnings: [] });
    expect(await settingsFor([...args, '--tls-min-version', 'VersionTLS13'])).toMatchObject({ minVersion: 'TLSv1.3' });
  });
});
