/** The X.509 library. It takes 80 to 170 ms to load, so only those who make a certificate do; reading one needs `node:crypto` alone. */
export async function loadX509() {
  await import('reflect-metadata'); // the library's container of classes expects it to be there
  return import('@peculiar/x509');
}
