import { availableParallelism } from 'node:os';

export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  reporters: [
    'default',
    // Failures as annotations of a pull request.
    ...(process.env.GITHUB_ACTIONS === 'true' ? [['github-actions', { silent: true }]] : []),
    '<rootDir>/__tests__/support/reporter.ts',
  ],
  setupFiles: ['<rootDir>/__tests__/support/realm.ts'],
  modulePathIgnorePatterns: ['<rootDir>/lib/', '<rootDir>/stand-ins/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024' }, module: { type: 'es6' } }],
  },
  // Two take up to 1.4 GB with the processes that tests start.
  // A worker that has grown is replaced, also after its last test: on a busy machine the new one may need
  // more than half a second, the default, to start and exit.
  maxWorkers: Math.min(availableParallelism(), 4),
  workerIdleMemoryLimit: '160MB',
  workerGracefulExitTimeout: 10_000,
  maxConcurrency: 4,
  // For a test that hangs: a busy machine may be ten times as slow as an idle one.
  testTimeout: 120_000,
  collectCoverageFrom: ['src/**/*.ts', '!src/index.ts'],
  coverageThreshold: { global: { branches: 90 } },
};
