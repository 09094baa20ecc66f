/** The default pull policy for an image reference `[<domain>/]<path>[:<tag>][@<digest>]`. */

const LATEST = 'latest';
const DEFAULT_DOMAIN = 'docker.io';
const LEGACY_DOMAIN = 'index.docker.io';
const OFFICIAL = 'library/';
const MAX_PATH = 255;

// Matching is linear: adjacent parts of a pattern never match the same character, or backtrack by at most one step.
const HEX_OF_DIGEST = /^[a-f0-9]{64}$/;
const DOMAIN =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
const PATH = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;

/** `Always` for the tag `latest`, even if implicit; otherwise, and for invalid references, `IfNotPresent`. */
export const defaultPullPolicy = (image = ''): string => (tagOf(image) === LATEST ? 'Always' : 'IfNotPresent');

/** Undefined if there is only a digest or `image` is invalid. */
function tagOf(image: string): string | undefined {
  if (HEX_OF_DIGEST.test(image)) return undefined;
  const [domain, remainder] = splitDomain(image);
  const [tagged, digest] = cut(remainder, '@');
  const [path, tag] = cut(tagged, ':');
  if (!DOMAIN.test(domain) || path.length > MAX_PATH || !PATH.test(path)) return undefined;
  if (tag !== undefined && !TAG.test(tag)) return undefined;
  if (digest === undefined) return tag ?? LATEST;
  return DIGEST.test(digest) ? tag : undefined;
}

/** The text before the first slash is a domain only if it looks like one: `example.com`, `host:5000`, `localhost`. */
function splitDomain(image: string): readonly [domain: string, remainder: string] {
  const [first, rest] = cut(image, '/');
  if (rest === undefined) return [DEFAULT_DOMAIN, OFFICIAL + image];
  const isDomain = first === 'localhost' || first.includes('.') || first.includes(':') || first.toLowerCase() !== first;
  if (!isDomain) return [DEFAULT_DOMAIN, image];
  if (first !== DEFAULT_DOMAIN && first !== LEGACY_DOMAIN) return [first, rest];
  return [DEFAULT_DOMAIN, rest.includes('/') ? rest : OFFICIAL + rest];
}

function cut(text: string, separator: string): readonly [before: string, after?: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
