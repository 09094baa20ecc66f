import { describe, expect, it } from '@jest/globals';
import { shortCauses } from '../../../../test/support/pod-causes.ts';
import { FieldPath } from '../../../apimachinery/status/field-path.ts';
import type { Unchecked } from '../../define-strategy.ts';
import { idCauses, validateAppArmorProfile, validateSeccompProfile, validateWindowsOptions } from './security-profiles.ts';
import type { SeccompProfile, WindowsSecurityContextOptions } from './types.gen.ts';

const at = FieldPath.of('p');
const PROFILE = 'p.localhostProfile';

describe('A seccomp or AppArmor profile', () => {
  it.each<[Unchecked<SeccompProfile> | undefined, readonly string[], readonly string[]]>([
    [undefined, [], []],
    [{ type: 'RuntimeDefault' }, [], []],
    [{ type: 'Unconfined' }, [], []],
    [{ type: 'Localhost', localhostProfile: 'profiles/a.json' }, [], []],
    [{}, ['Required p.type'], ['Required p.type']],
    [{ type: 'Host' }, ['NotSupported p.type'], ['NotSupported p.type']],
    [{ type: 'Localhost' }, [`Required ${PROFILE}`], [`Required ${PROFILE}`]],
    [{ type: 'Localhost', localhostProfile: '' }, [], [`Required ${PROFILE}`]],
    [{ type: 'Localhost', localhostProfile: '/a' }, [`Invalid ${PROFILE}`], []],
    [{ type: 'Localhost', localhostProfile: 'a/../b' }, [`Invalid ${PROFILE}`], []],
    [{ type: 'Localhost', localhostProfile: ' a' }, [], [`Invalid ${PROFILE}`]],
    [{ type: 'Localhost', localhostProfile: 'a'.repeat(4096) }, [], [`TooLong ${PROFILE}`]],
    [{ type: 'RuntimeDefault', localhostProfile: 'a' }, [`Invalid ${PROFILE}`], [`Invalid ${PROFILE}`]],
  ])('%j has causes %j, or %j', (profile, seccomp, appArmor) => {
    expect([shortCauses(validateSeccompProfile(profile, at)), shortCauses(validateAppArmorProfile(profile, at))]).toEqual([
      seccomp,
      appArmor,
    ]);
  });
});

describe('The number of a user', () => {
  it.each([undefined, 0, 1000, 2 ** 31 - 1])('may be %p', (id) => {
    expect(idCauses(id, at, 'runAsUser')).toEqual([]);
  });

  it.each([-1, 2 ** 31, 2n ** 62n])('may not be %p', (id) => {
    expect(shortCauses(idCauses(id, at, 'runAsUser'))).toEqual(['Invalid p.runAsUser']);
  });
});

describe('Options of Windows', () => {
  it.each<[Unchecked<WindowsSecurityContextOptions> | undefined]>([
    [undefined],
    [{ hostProcess: true }],
    [{ gmsaCredentialSpecName: 'web.example', gmsaCredentialSpec: '{}' }],
    [{ runAsUserName: 'ContainerAdministrator' }],
    [{ runAsUserName: 'DOMAIN\\user name' }],
    [{ runAsUserName: `${'long-label.'.repeat(20)}example\\user` }],
  ])('may be %j', (options) => {
    expect(validateWindowsOptions(options, at)).toEqual([]);
  });

  it.each<[string, Unchecked<WindowsSecurityContextOptions>, string]>([
    ['the name of the specification', { gmsaCredentialSpecName: 'A b' }, 'gmsaCredentialSpecName'],
    ['an empty specification', { gmsaCredentialSpec: '' }, 'gmsaCredentialSpec'],
    ['a long specification', { gmsaCredentialSpec: 'x'.repeat(64 * 1024 + 1) }, 'gmsaCredentialSpec'],
    ['an empty user', { runAsUserName: '' }, 'runAsUserName'],
    ['a control character', { runAsUserName: 'a\u0007' }, 'runAsUserName'],
    ['two backslashes', { runAsUserName: 'a\\b\\c' }, 'runAsUserName'],
    ['a domain without a user', { runAsUserName: 'domain\\' }, 'runAsUserName'],
    ['an empty domain', { runAsUserName: '\\user' }, 'runAsUserName'],
    ['a domain of neither form', { runAsUserName: 'longer-than-15_characters\\user' }, 'runAsUserName'],
    ['a domain of 256 bytes', { runAsUserName: `${'a.'.repeat(127)}aa\\user` }, 'runAsUserName'],
    ['a user of 105 bytes', { runAsUserName: 'a'.repeat(105) }, 'runAsUserName'],
    ['a user of dots and spaces', { runAsUserName: '. .' }, 'runAsUserName'],
    ['a user with an @', { runAsUserName: 'a@b' }, 'runAsUserName'],
  ])('refuse %s', (_, options, field) => {
    expect(shortCauses(validateWindowsOptions(options, at))).toEqual([`Invalid p.${field}`]);
  });
});
