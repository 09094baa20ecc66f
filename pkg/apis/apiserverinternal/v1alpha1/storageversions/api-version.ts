/** The syntax of a storage version: `[group/]version`. */
import { checkDnsLabel1035, checkDnsSubdomain, type NameCheck } from '../../../../apimachinery/meta/names.ts';

const NOTHING_WRONG: readonly string[] = [];
const NOT_EMPTY = 'must be non-empty';

/** The group must be a DNS subdomain, the version a DNS-1035 label. */
export const checkApiVersion: NameCheck = (text) => {
  const slash = text.indexOf('/');
  const group = slash < 0 ? undefined : text.slice(0, slash);
  const version = text.slice(slash + 1);
  if (version.includes('/'))
    return ["an apiVersion is a DNS-1035 label with an optional DNS subdomain prefix and '/' (e.g. 'example.com/v1')"];
  const groupProblems = group === undefined ? NOTHING_WRONG : partCauses('group part: ', group, checkDnsSubdomain);
  const versionProblems = partCauses('version part: ', version, checkDnsLabel1035);
  return groupProblems.length === 0 ? versionProblems : [...groupProblems, ...versionProblems];
};

function partCauses(part: string, text: string, check: NameCheck): readonly string[] {
  if (text === '') return [part + NOT_EMPTY];
  const wrong = check(text);
  return wrong.length === 0 ? NOTHING_WRONG : wrong.map((why) => part + why);
}
