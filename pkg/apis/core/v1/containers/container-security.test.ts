import { describe, expect, it } from '@jest/globals';
import { containerCauses } from '../../../../../test/support/pod-causes.ts';
import type { Unchecked } from '../../../define-strategy.ts';
import type { SecurityContext } from '../types.gen.ts';

const causesOf = (securityContext: Unchecked<SecurityContext>, hostUsers?: boolean) =>
  containerCauses({ securityContext }, hostUsers === undefined ? {} : { hostUsers });

describe('The security context of a container', () => {
  it.each<[Unchecked<SecurityContext>, readonly string[]]>([
    [{}, []],
    [{ privileged: true, runAsUser: 0, runAsGroup: 1, runAsNonRoot: false, procMount: 'Default' }, []],
    [{ allowPrivilegeEscalation: false, capabilities: { add: ['NET_ADMIN', 'SYS_ADMIN'], drop: ['ALL'] } }, []],
    [{ allowPrivilegeEscalation: true, privileged: true, capabilities: { add: ['CAP_SYS_ADMIN'] } }, []],
    [{ runAsUser: -1, runAsGroup: 2 ** 31 }, ['Invalid securityContext.runAsUser', 'Invalid securityContext.runAsGroup']],
    [{ procMount: 'All' }, ['NotSupported securityContext.procMount']],
    [{ procMount: 'Unmasked' }, ['Invalid securityContext.procMount']],
    [{ seccompProfile: {} }, ['Required securityContext.seccompProfile.type']],
    [{ appArmorProfile: {} }, ['Required securityContext.appArmorProfile.type']],
    [{ windowsOptions: { runAsUserName: '' } }, ['Invalid securityContext.windowsOptions.runAsUserName']],
    [{ allowPrivilegeEscalation: false, privileged: true }, ['Invalid securityContext']],
    [{ allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } }, ['Invalid securityContext']],
  ])('%j has causes %j', (context, causes) => {
    expect(causesOf(context)).toEqual(causes);
  });

  it('unmasks /proc only for users of its own', () => {
    expect(causesOf({ procMount: 'Unmasked' }, true)).toEqual(['Invalid securityContext.procMount']);
    expect(causesOf({ procMount: 'Unmasked' }, false)).toEqual([]);
  });
});
