/** Cipher suites by the names of Go, which `--tls-cipher-suites` takes as kube-apiserver does. */

export interface CipherSuite {
  /** The name in Go. */
  readonly name: string;
  /** The name in OpenSSL. */
  readonly openssl: string;
  readonly isInsecure: boolean;
}

const secure = (name: string, openssl: string): CipherSuite => ({ name, openssl, isInsecure: false });
const insecure = (name: string, openssl: string): CipherSuite => ({ name, openssl, isInsecure: true });

/** As in Go, they cannot be chosen: whoever speaks TLS 1.3 may use all of them. */
const TLS_1_3: readonly CipherSuite[] = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'].map((name) =>
  secure(name, name),
);

/** In the order in which the server prefers them, that of Go. RC4 and 3DES are missing in the OpenSSL of Node.js. */
const TLS_1_2: readonly CipherSuite[] = [
  secure('TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'),
  secure('TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'),
  secure('TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'),
  secure('TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'),
  secure('TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'),
  secure('TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'),
  secure('TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'),
  secure('TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'),
  secure('TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'),
  secure('TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'),
  insecure('TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'),
  insecure('TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'),
  insecure('TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'),
  insecure('TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'),
  insecure('TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'),
  insecure('TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'),
  insecure('TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'),
];

export const CIPHER_SUITES: readonly CipherSuite[] = [...TLS_1_3, ...TLS_1_2];

const FORMER_NAMES: Readonly<Record<string, string>> = {
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
};

/** Undefined when there is no such suite. */
export function findCipherSuite(name: string): CipherSuite | undefined {
  const current = FORMER_NAMES[name] ?? name;
  return CIPHER_SUITES.find((suite) => suite.name === current);
}

/** The option `ciphers` of `node:tls`, in the server's order. Without suites of TLS 1.2, that version is not served. */
export const toCiphers = (chosen: readonly CipherSuite[]): string =>
  [...TLS_1_3, ...TLS_1_2.filter((suite) => chosen.includes(suite))].map(({ openssl }) => openssl).join(':');

/** The secure ones. */
export const DEFAULT_CIPHERS: string = toCiphers(CIPHER_SUITES.filter(({ isInsecure }) => !isInsecure));
