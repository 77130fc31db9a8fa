export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', pool: 'forks', related: false },
  // Each mistake is shown to the tests that come by it, and to no others.
  coverageAnalysis: 'perTest',
  concurrency: 1,
  dryRunTimeoutMinutes: 20,
  // TypeScript 7 has no interface to rewrite it through, and nothing here reads it.
  tsconfigFile: 'none',
  tempDirName: '.mutants/sandbox',
  // What is no part of the project is not copied; least of all the list.
  ignorePatterns: ['.mutants', 'data', 'dist*', 'screenshots', 'test-results'],
  reporters: ['clear-text', 'html', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: '.mutants/report.html' },
}
