import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UsageError } from './flag.ts';
import { COMMANDS } from './commands.ts';
import { helpIn } from './help.ts';
import { parseKubeconfigFlags, parseServeFlags } from './parse-flags.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coxswain-flags-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function configFile(text: string): Promise<string> {
  const path = join(dir, 'config.yaml');
  await writeFile(path, text);
  return path;
}

describe('Flags', () => {
  it('have defaults', async () => {
    expect(await parseServeFlags([], {})).toMatchObject({
      dataDir: './data',
      insecurePort: 0,
      securePort: 6443,
      bindAddress: '127.0.0.1',
      anonymousAuth: true,
      tlsCertFile: undefined,
      groupSuffix: 'k8s.io',
      etcdPrefix: '/registry',
      eventTtl: 3_600_000,
      historyMaxBytes: 256 * 2 ** 20,
      verbosity: 0,
    });
  });

  it.each([
    [['--insecure-port', '8080'], { insecurePort: 8080 }],
    [['--insecure-port=8080'], { insecurePort: 8080 }],
    [['--etcd-servers', 'http://a:1,https://b:2'], { etcdServers: ['http://a:1', 'https://b:2'] }],
    [['--cors-allowed-origins', '//a(:|$),^https://b$'], { corsAllowedOrigins: [/\/\/a(:|$)/, /^https:\/\/b$/] }],
    [['-v', '4'], { verbosity: 4 }],
    [['-v=4'], { verbosity: 4 }],
    [['--representation-cache-bytes', '64Mi'], { representationCacheBytes: 64 * 2 ** 20 }],
    [['--event-ttl', '1h30m'], { eventTtl: 5_400_000 }],
    [['--data-dir', 'a', '--data-dir', 'b'], { dataDir: 'b' }],
    [['--bind-address', '::'], { bindAddress: '::' }],
    [['--anonymous-auth=false'], { anonymousAuth: false }],
    [['--goaway-chance', '.02'], { goawayChance: 0.02 }],
    [['--shutdown-delay-duration', '70s'], { shutdownDelayDuration: 70_000 }],
    [
      ['--strict-transport-security-directives', 'max-age=31536000,includeSubDomains'],
      { strictTransportSecurityDirectives: 'max-age=31536000; includeSubDomains' },
    ],
    [
      ['--tls-sni-cert-key', 'a.crt,a.key', '--tls-sni-cert-key', ' b.crt , b.key: *.b.example,b.example '],
      {
        tlsSniCertKey: [
          { certFile: 'a.crt', keyFile: 'a.key', names: [] },
          { certFile: 'b.crt', keyFile: 'b.key', names: ['*.b.example', 'b.example'] },
        ],
      },
    ],
    [['--anonymous-auth', 'false', '--secure-port', '0'], { anonymousAuth: false, securePort: 0 }],
    [['--anonymous-auth', '--secure-port', '0'], { anonymousAuth: true, securePort: 0 }],
  ])('%j', async (args, expected) => {
    expect(await parseServeFlags(args, {})).toMatchObject(expected);
  });

  it('come from the command line before the environment before the file', async () => {
    const config = await configFile('data-dir: file\ngroup-suffix: file.example\ninsecure-port: 1\n');
    const environment = { COXSWAIN_DATA_DIR: 'environment', COXSWAIN_GROUP_SUFFIX: 'environment.example', COXSWAIN_CONFIG: config };
    expect(await parseServeFlags(['--data-dir', 'flag'], environment)).toMatchObject({
      dataDir: 'flag',
      groupSuffix: 'environment.example',
      insecurePort: 1,
    });
  });

  it('may be lists, maps and JSON in the file', async () => {
    const config = await configFile('{"etcd-servers": ["http://a:1", "http://b:2"], "feature-gates": {"ShardedListAndWatch": false}}');
    expect((await parseServeFlags(['--config', config], {})).etcdServers).toEqual(['http://a:1', 'http://b:2']);
  });

  it.each(['true', 'True', '1', 't'])('turn features on by %s, and others off', async (on) => {
    const { featureGates } = await parseServeFlags(['--feature-gates', `ContainerStopSignals=${on},CSIMigration=0`], {});
    expect([featureGates.isEnabled('ContainerStopSignals'), featureGates.isEnabled('CSIMigration')]).toEqual([true, false]);
  });

  it.each([
    ['*', ['clusterrole-aggregation-controller', 'garbage-collector-controller', 'namespace-controller', 'ttl-after-finished-controller']],
    ['*,-namespace-controller', ['clusterrole-aggregation-controller', 'garbage-collector-controller', 'ttl-after-finished-controller']],
    ['-namespace-controller', []],
    ['namespace-controller, -namespace-controller', ['namespace-controller']],
  ])('let controllers run: %s', async (controllers, expected) => {
    expect([...(await parseServeFlags([`--controllers=${controllers}`], {})).controllers]).toEqual(expected);
  });

  it.each([
    [['--nonsense'], 'there is no flag --nonsense'],
    [['--insecure-port'], '--insecure-port: a value is missing'],
    [['--insecure-port', '--data-dir', 'x'], '--insecure-port: a value is missing'],
    [['--insecure-port', 'http'], '--insecure-port: "http" is not a port'],
    [['--etcd-servers', 'localhost:2379'], '--etcd-servers: "localhost:2379" is not an http'],
    [['--event-ttl', '1 hour'], '--event-ttl: "1 hour" is not a duration'],
    [['--cors-allowed-origins', 'https://example.com'], '--cors-allowed-origins: "https://example.com" does not pin the host'],
    [['--cors-allowed-origins', '^https://(?:a|b)'], '--cors-allowed-origins: "^https://(?:a|b)" does not pin the host'],
    [['--cors-allowed-origins', '//a$,^([$'], '--cors-allowed-origins: "^([$" is not a regular expression'],
    [['--feature-gates', 'NoSuch=true'], 'NoSuch'],
    [['--feature-gates', 'CSIMigration=true=false'], 'CSIMigration must be true or false, not "true=false"'],
    [['--controllers', '*,-job-controller'], '--controllers: there is no controller "-job-controller"'],
    [['--anonymous-auth=maybe'], '--anonymous-auth: "maybe" is neither true nor false'],
    [['--bind-address', 'localhost'], '--bind-address: "localhost" is not an IP address'],
    [['--tls-min-version', 'TLS1.2'], '--tls-min-version: unknown tls version "TLS1.2"'],
    [['--tls-cipher-suites', 'TLS_RSA_WITH_RC4_128_SHA'], "Cipher suite TLS_RSA_WITH_RC4_128_SHA not supported or doesn't exist"],
    [['--tls-sni-cert-key', 'a.crt'], 'expected comma separated certificate and key file paths'],
    [['--tls-sni-cert-key', 'a.crt,a.key: '], 'empty names list is not allowed'],
    [['--tls-sni-cert-key', 'a.crt,a.key:a.example,192.0.2.1'], '192.0.2.1 is an address'],
    [['--goaway-chance', '0.021'], '--goaway-chance: can not be less than 0 or greater than 0.02'],
    [['--goaway-chance=-1'], '--goaway-chance: "-1" is not a number'],
    [['--strict-transport-security-directives', 'max-age'], 'allowed values: max-age=expireTime, includeSubDomains, preload'],
    [['serve'], '"serve"'],
    [['--config', '/does/not/exist'], '/does/not/exist'],
  ])('%j is refused in one sentence', async (args, text) => {
    const refused = parseServeFlags(args, {});
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(text);
    await expect(refused).rejects.toThrow(/^[^\n]+$/);
  });

  it('name the variable or the file they are wrong in', async () => {
    await expect(parseServeFlags([], { COXSWAIN_INSECURE_PORT: 'x' })).rejects.toThrow('COXSWAIN_INSECURE_PORT');
    const config = await configFile('insecure-port: x\n');
    await expect(parseServeFlags(['--config', config], {})).rejects.toThrow(`insecure-port in ${config}`);
    await expect(parseServeFlags(['--config', await configFile('no-such: 1')], {})).rejects.toThrow('no-such');
    await expect(parseServeFlags(['--config', await configFile('a: [')], {})).rejects.toThrow('neither YAML nor JSON');
  });

  it('that hold lists are repeated by their separator in a file, too', async () => {
    const config = await configFile('tls-sni-cert-key: ["a.crt,a.key", "b.crt,b.key:b.example"]\n');
    const { tlsSniCertKey = [] } = await parseServeFlags(['--config', config], {});
    expect(tlsSniCertKey.map(({ certFile }) => certFile)).toEqual(['a.crt', 'b.crt']);
  });

  it('are explained in whole sentences, since the help adds another one', () => {
    const unfinished = COMMANDS.flatMap(({ flags }) => flags).filter(({ help }) => !help.endsWith('.'));
    expect(unfinished.map(({ name }) => name)).toEqual([]);
  });

  it('are all in the help text', async () => {
    for (const name of ['--etcd-servers URL,URL', '--insecure-port PORT', '-v NUMBER']) expect(helpIn(100, ['serve'])).toContain(name);
  });
});

describe('Flags of kubeconfig', () => {
  it('may be repeated where that makes sense', () => {
    expect(parseKubeconfigFlags(['--user', 'jane', '--group', 'dev', '--group=ops,sre'], {})).toMatchObject({
      user: 'jane',
      group: ['dev', 'ops', 'sre'],
      output: '-',
    });
  });

  it('take the data folder from the environment, as serve does', () => {
    expect(parseKubeconfigFlags([], { COXSWAIN_DATA_DIR: '/srv/coxswain' }).dataDir).toBe('/srv/coxswain');
  });

  it.each([
    [['--server', 'http://a:1'], '--server: "http://a:1" is not the https URL'],
    [['--server', 'https://a:1/path'], '--server'],
    [['--namespace', 'No'], '--namespace: "No" is not the name of a namespace'],
    [['--user', ''], '--user: must not be empty'],
    [['--group', 'a,,b'], '--group: must not be empty'],
    [['--insecure-port', '1'], 'there is no flag --insecure-port; see coxswain help kubeconfig'],
  ])('%j is refused in one sentence', (args, text) => {
    expect(() => parseKubeconfigFlags(args, {})).toThrow(UsageError);
    expect(() => parseKubeconfigFlags(args, {})).toThrow(text);
  });
});
