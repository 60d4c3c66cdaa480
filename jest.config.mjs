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
  // Up to 1.5 GB with the processes that tests start; on two cores three or four are hardly quicker and take
  // up to 2.4 GB. A percentage would be 32 workers on a large machine.
  // A worker that has grown is replaced, also after its last test: on a busy machine the new one may need
  // more than half a second, the default, to start and exit.
  maxWorkers: 2,
  workerIdleMemoryLimit: '160MB',
  workerGracefulExitTimeout: 10_000,
  maxConcurrency: 4,
  testTimeout: 60_000,
  collectCoverageFrom: ['src/**/*.ts', '!src/index.ts'],
  coverageThreshold: { global: { branches: 90 } },
};
