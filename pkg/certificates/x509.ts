/**
 * What is used of the X.509 library. It takes long to load, so only those who make a certificate import this file, when they do; reading one needs `node:crypto`
 * alone.
 */
import 'reflect-metadata'; // the library's container of classes expects it to be there
export {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
