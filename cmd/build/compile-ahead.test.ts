import { describe, expect, it } from '@jest/globals';
import { environmentOf } from './compile-ahead.ts';

describe('A process that is started to be compiled', () => {
  it('knows nothing of a store, or of how a runtime should run, that the environment of the build names', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/root',
      COXSWAIN_ETCD_SERVERS: 'http://etcd.example.com:2379',
      COXSWAIN_DATA_DIR: '/var/lib/coxswain',
      NODE_OPTIONS: '--max-old-space-size=100',
      NODE_V8_COVERAGE: 'coverage',
      NODE_DISABLE_COMPILE_CACHE: '1',
    };
    expect(environmentOf(environment)).toEqual({ PATH: '/bin', HOME: '/root', COXSWAIN_COMPILE_AHEAD: '1' });
  });
});
