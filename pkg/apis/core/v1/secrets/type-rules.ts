/** What a Secret of each type must have. A type that is not listed has no rules. */
import { goJsonObjectError } from '../../../../apimachinery/json/go-json-error.ts';
import { memberOf } from '../../../../apimachinery/json/member-of.ts';
import { invalidValue, NO_CAUSES, required } from '../../../../apimachinery/status/causes.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { KeyedData } from '../keyed-data.ts';
import type { Secret } from './types.gen.ts';

export type UncheckedSecret = Unchecked<Secret>;
type TypeRule = (secret: UncheckedSecret, data: KeyedData) => readonly StatusCause[];

export const TLS = 'kubernetes.io/tls';
export const TLS_CERTIFICATE = 'tls.crt';
export const TLS_KEY = 'tls.key';

const DATA = FieldPath.of('data');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

const requiredKeys = (data: KeyedData, ...keys: readonly string[]): readonly StatusCause[] =>
  keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(DATA.key(key)));

const holdsJson =
  (key: string): TypeRule =>
  (_, data) => {
    const base64 = memberOf(data, key);
    if (base64 === undefined) return [required(DATA.key(key))];
    const problem = goJsonObjectError(Buffer.from(base64, 'base64'));
    return problem === undefined ? NO_CAUSES : [invalidValue(DATA.key(key), '<secret contents redacted>', problem)];
  };

const RULES: ReadonlyMap<string, TypeRule> = new Map<string, TypeRule>([
  // The token itself may come later, from a controller.
  [
    'kubernetes.io/service-account-token',
    ({ metadata: { annotations = {} } = {} }) =>
      (memberOf(annotations, ACCOUNT_NAME) ?? '') === '' ? [required(ANNOTATIONS.key(ACCOUNT_NAME))] : NO_CAUSES,
  ],
  ['kubernetes.io/dockercfg', holdsJson('.dockercfg')],
  ['kubernetes.io/dockerconfigjson', holdsJson('.dockerconfigjson')],
  [
    'kubernetes.io/basic-auth',
    (_, data) =>
      Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password') ? NO_CAUSES : requiredKeys(data, 'username', 'password'),
  ],
  [
    'kubernetes.io/ssh-auth',
    (_, data) => ((memberOf(data, 'ssh-privatekey') ?? '') === '' ? [required(DATA.key('ssh-privatekey'))] : NO_CAUSES),
  ],
  [TLS, (_, data) => requiredKeys(data, TLS_CERTIFICATE, TLS_KEY)],
]);

/** The data is that of the Secret. */
export const typeCauses = (secret: UncheckedSecret, data: KeyedData): readonly StatusCause[] =>
  RULES.get(secret.type ?? '')?.(secret, data) ?? NO_CAUSES;
