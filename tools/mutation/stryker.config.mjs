// The options for all modules; mutate.ts adds the module and its tests. Paths are relative to the
// project's root, where Stryker runs and finds jest. No class of mutants is left out, because the text
// of messages is tested as well.
export default {
  ignorePatterns: ['dist', 'lib', 'coverage', 'docs', 'tools'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  jest: {
    configFile: 'jest.config.mjs',
    enableFindRelatedTests: false,
    // A mutant that hangs a test costs this time; the longest test takes two seconds.
    config: { testTimeout: 5000 },
  },
  timeoutMS: 10_000,
  timeoutFactor: 3,
  maxTestRunnerReuse: 100,
  // Half of the machine: some tests wait for time limits.
  concurrency: '50%',
  // Stryker would rewrite it with the compiler's API, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  cleanTempDir: 'always',
  logLevel: 'warn',
  allowConsoleColors: false,
  reporters: ['clear-text'],
  clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
};
