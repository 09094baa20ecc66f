import { describe, expect, it } from '@jest/globals';
import { causesOfPod } from '../../../../../test/support/pod-template.ts';
import { FieldPath } from '../../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { PodDNSConfig, PodSpec } from '../types.gen.ts';
import { ipAddressCauses } from './ip-address.ts';

const config = (dnsConfig: Unchecked<PodDNSConfig>) => ({ dnsConfig });
const nameserver = (address: string) => config({ nameservers: [address] });
const messageOf = (address: string) => ipAddressCauses(address, FieldPath.of('ip'))[0]?.message ?? '';
const search = (text: string) => config({ searches: [text] });

describe('The DNS of a pod', () => {
  it.each<[string, Unchecked<PodSpec>, readonly string[]]>([
    ['no policy', { dnsPolicy: '' }, ['Required s.dnsPolicy']],
    ['an unknown policy', { dnsPolicy: 'Cluster' }, ['NotSupported s.dnsPolicy']],
    ['no configuration where nothing else is', { dnsPolicy: 'None' }, ['Required s.dnsConfig']],
    ['no nameserver where nothing else is', { dnsPolicy: 'None', ...search('A') }, ['Required s.dnsConfig.nameservers']],
    ['four nameservers', config({ nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] }), ['Invalid s.dnsConfig.nameservers']],
    ['a name as nameserver', nameserver('dns.example.com'), ['Invalid s.dnsConfig.nameservers[0]']],
    ['33 searches', config({ searches: Array<string>(33).fill('a') }), ['Invalid s.dnsConfig.searches']],
    ['2049 bytes of searches', config({ searches: [...Array<string>(16).fill('a'.repeat(127)), 'a'] }), ['Invalid s.dnsConfig.searches']],
    ['a search with capitals', search('Example.com'), ['Invalid s.dnsConfig.searches[0]']],
    ['an empty search', search(''), ['Invalid s.dnsConfig.searches[0]']],
    ['a search of two dots', search('a..'), ['Invalid s.dnsConfig.searches[0]']],
    ['a search of 254 bytes', search('a'.repeat(254)), ['Invalid s.dnsConfig.searches[0]']],
    ['an option without name', config({ options: [{ name: 'ndots' }, { value: '2' }] }), ['Required s.dnsConfig.options[1]']],
    ['an alias of no address', { hostAliases: [{ hostnames: ['a'] }] }, ['Invalid s.hostAliases[0].ip']],
    ['an alias with a wrong name', { hostAliases: [{ ip: '::1', hostnames: ['a', 'b_c'] }] }, ['Invalid s.hostAliases[0].hostnames[1]']],
  ])('is refused: %s', (_, fields, causes) => {
    expect(causesOfPod(fields)).toEqual(causes);
  });

  it.each<[string, Unchecked<PodSpec>]>([
    ['a search that ends with a dot', search('example.com.')],
    ['the search of the root', search('.')],
    ['a search with underscores', search('_tcp.a_b.example.com')],
    ['2048 bytes of searches', config({ searches: [...Array<string>(15).fill('a'.repeat(127)), 'a'.repeat(128)] })],
    ['nothing but a nameserver', { dnsPolicy: 'None', ...nameserver('2001:db8::53') }],
    ['an alias without names', { hostAliases: [{ ip: '10.0.0.1' }] }],
  ])('is right: %s', (_, fields) => {
    expect(causesOfPod(fields)).toEqual([]);
  });
});

describe('An address', () => {
  it.each([
    ['10.9.8.7', ''],
    ['2001:db8::ffff', ''],
    ['::', ''],
    ['::1.2.3.4', ''],
    ['::fffe:102:304', ''],
    ['::ffff:0:1.2.3.4', ''],
    ['010.9.8.7', 'leading 0s'],
    ['10.9.8', 'valid IP'],
    ['10.9.8.256', 'valid IP'],
    ['010.9.8.256', 'valid IP'],
    ['fe80::1%eth0', 'valid IP'],
    [' 10.9.8.7', 'valid IP'],
    ['', 'valid IP'],
    ['::ffff:1.2.3.4', 'IPv4-mapped'],
    ['::FFFF:102:304', 'IPv4-mapped'],
    ['0:0:0:0:0:ffff:102:304', 'IPv4-mapped'],
    ['0:0::ffff:1:2', 'IPv4-mapped'],
    ['0:0:0:0:0:ffff::', 'IPv4-mapped'],
  ])('%j: %s', (address, why) => {
    expect(causesOfPod(nameserver(address))).toEqual(why === '' ? [] : ['Invalid s.dnsConfig.nameservers[0]']);
    expect(messageOf(address)).toContain(why);
  });
});
