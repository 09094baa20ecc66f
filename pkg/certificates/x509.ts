/**
 * The X.509 library. It loads slowly, so it is imported dynamically and only to create certificates; `node:crypto` is
 * enough to parse them.
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
