/** `<group>.<resource>`: the last dot is the separator. */
import { checkDnsLabel1035, checkDnsSubdomain, type NameCheck } from '../../../../apimachinery/meta/names.ts';

export const checkStorageVersionName: NameCheck = (name) => {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...checkDnsSubdomain(name.slice(0, dot)).map((why) => `the group segment ${why}`),
    ...checkDnsLabel1035(name.slice(dot + 1)).map((why) => `the resource segment ${why}`),
  ];
};
