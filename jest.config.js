import { availableParallelism } from 'node:os';

// ESM throughout: the sources name their imports with `.ts`, so no path mapping is needed.
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{cmd,pkg,test}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist(\\.next-[^/]+)?/', '<rootDir>/data/', '<rootDir>/test/clients/[^/]+/(\\.venv|bin|target)/'],
  globalSetup: '<rootDir>/test/support/install-programs.ts',
  // Half of a suite's time is waiting, so two processors take three suites. The store's suite compacts: on an etcd that
  // is given for all, one file at a time.
  maxWorkers: process.env.ETCD_ENDPOINTS ? 1 : Math.max(3, availableParallelism() - 1),
  testTimeout: 30_000,
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
};
