import { invalidValue, NO_CAUSES, required } from '../status/causes.ts';
import type { FieldPath } from '../status/field-path.ts';
import type { StatusCause } from '../status/status-error.ts';
import { checkDnsSubdomain } from './names.ts';

const HTTP_PATH_PATTERN = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const HTTP_PATH = new RegExp(`^${HTTP_PATH_PATTERN}$`);

/** For names such as `example.com/controller`: a DNS subdomain and a path. */
export function domainPrefixedPathCauses(text: string, path: FieldPath): readonly StatusCause[] {
  if (text === '') return [required(path)];
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) {
    return [invalidValue(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const [domain, rest] = [text.slice(0, slash), text.slice(slash + 1)];
  return [
    ...checkDnsSubdomain(domain).map((why) => invalidValue(path, domain, why)),
    ...(HTTP_PATH.test(rest)
      ? NO_CAUSES
      : [invalidValue(path, rest, `Invalid path (regex used for validation is '${HTTP_PATH_PATTERN}')`)]),
  ];
}
