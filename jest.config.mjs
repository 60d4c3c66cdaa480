export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  reporters: ['default', '<rootDir>/__tests__/support/reporter.ts'],
  setupFiles: ['<rootDir>/__tests__/support/realm.ts'],
  modulePathIgnorePatterns: ['<rootDir>/lib/', '<rootDir>/stand-ins/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024' }, module: { type: 'es6' } }],
  },
  // Tests wait for processes more than they compute. A percentage would be 32 workers on a large machine.
  // A worker that has grown is replaced.
  maxWorkers: 4,
  workerIdleMemoryLimit: '256MB',
  maxConcurrency: 6,
  testTimeout: 60_000,
  collectCoverageFrom: ['src/**/*.ts', '!src/index.ts'],
  coverageThreshold: { global: { branches: 90 } },
};
