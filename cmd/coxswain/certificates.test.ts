import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../pkg/apimachinery/time/clock.ts';
import { DAY_MS } from '../../pkg/certificates/issue.ts';
import { silentLog } from '../../pkg/observability/logging.ts';
import { ManualClock } from '../../test/registry/manual-clock.ts';
import { openSecureListener } from '../../pkg/server/lifecycle/listener.ts';
import { OpenRequests } from '../../pkg/server/filters/drain.ts';
import { waitFor } from '../../test/support/wait.ts';
import { banner } from './banner.ts';
import { openCertificates, refreshCertificates, writeAdminKubeconfig } from './certificates.ts';
import { UsageError } from './flag.ts';
import { parseServeFlags } from './parse-flags.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'coxswain-keep-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const options = (...flags: string[]) => parseServeFlags(['--data-dir', dataDir, ...flags], {});

describe('The certificates of a server', () => {
  it('are renewed while it runs, for new connections and in the kubeconfig of the admin', async () => {
    const clock = new ManualClock(Date.now());
    const certificates = await openCertificates(await options(), clock, silentLog);
    const listener = await openSecureListener({
      host: '127.0.0.1',
      port: 0,
      tls: certificates.tls,
      respond: () => Promise.resolve({ code: 200, headers: {}, body: [] }),
      openRequests: new OpenRequests(),
      clock: systemClock,
    });
    const kubeconfig = (await writeAdminKubeconfig(certificates, listener.url, dataDir)) ?? '';
    const stopping = new AbortController();
    const refreshing = refreshCertificates({
      certificates,
      listener,
      dataDir,
      clock,
      log: silentLog,
      onReload: () => undefined,
      signal: stopping.signal,
    });
    const served = async () => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(listener.url).port), rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const [certificateBefore, kubeconfigBefore] = [await served(), await readFile(kubeconfig, 'utf8')];

    clock.advance(340 * DAY_MS);
    await waitFor(async () => (await readFile(kubeconfig, 'utf8')) !== kubeconfigBefore, { what: 'the kubeconfig to change' });
    expect(await served()).not.toBe(certificateBefore);

    stopping.abort();
    await refreshing;
    await listener.stop(0);
  });

  it('want a certificate and its key together', async () => {
    const refused = openCertificates(await options('--tls-cert-file', 'tls.crt'), systemClock, silentLog);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow('--tls-cert-file and --tls-private-key-file are given together or not at all');
  });

  it('leave a kubeconfig alone that says the same already', async () => {
    const certificates = await openCertificates(await options(), systemClock, silentLog);
    const path = (await writeAdminKubeconfig(certificates, 'https://127.0.0.1:1', dataDir)) ?? '';
    const before = await stat(path, { bigint: true });
    await chmod(path, 0o644);
    await writeAdminKubeconfig(certificates, 'https://127.0.0.1:1', dataDir);
    const after = await stat(path, { bigint: true });
    expect([after.ino, Number(after.mode) & 0o777]).toEqual([before.ino, 0o600]); // but let nobody else read it
    await writeAdminKubeconfig(certificates, 'https://127.0.0.1:2', dataDir);
    expect(await readFile(path, 'utf8')).toContain('https://127.0.0.1:2');
  });
});

describe('The banner', () => {
  const place = 'embedded store in ./data';
  const url = 'https://127.0.0.1:6443';

  it('is a line to paste, and little else', () => {
    expect(banner({ place, secure: { url, kubeconfig: '/srv/data/admin.kubeconfig' } })).toBe(
      `coxswain is ready at ${url} (${place})\n\n  export KUBECONFIG=/srv/data/admin.kubeconfig; kubectl get cronjobs -A\n\nCtrl-C stops it.\n`,
    );
  });

  it('quotes a path for the shell', () => {
    expect(banner({ place, secure: { url, kubeconfig: "/it's here/admin.kubeconfig" } })).toContain(
      `KUBECONFIG='/it'\\''s here/admin.kubeconfig';`,
    );
  });

  it('says why there is no kubeconfig', () => {
    expect(banner({ place, secure: { url } })).toMatch(/no admin\.kubeconfig: --client-ca-file/);
  });

  it('names the insecure port for what it is', () => {
    const insecureUrl = 'http://127.0.0.1:8080';
    expect(banner({ place, insecureUrl })).toContain(`kubectl --server ${insecureUrl} get cronjobs -A`);
    expect(banner({ place, insecureUrl, secure: { url } })).toContain(`${insecureUrl}: plain HTTP for this machine only`);
  });
});
