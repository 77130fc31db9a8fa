import { join } from 'node:path'
import { rooms } from './rooms.ts'

const { MUTANTS_ROOM: room = '', MUTANTS_FILES: files = '', MUTANTS_EVERY: every } = process.env
const folder = '.mutants'

export default {
  mutate: files.split(','),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutants/sample.mjs'],
  checkers: every ? ['sample'] : [],
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', pool: 'forks', related: false },
  // Each mutant is shown to the tests that come by it, and to no others.
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // What never ends is noticed by that. On a busy machine the others may take a while.
  timeoutMS: rooms[room]?.hasEmulators ? 60_000 : 10_000,
  // All tests of a room once; those on an emulator alone take minutes.
  dryRunTimeoutMinutes: 20,
  // TypeScript 7 has no interface to rewrite it through, and nothing here reads it.
  tsconfigFile: 'none',
  tempDirName: join(folder, 'sandbox'),
  // What is no part of the project is not copied; least of all the list.
  ignorePatterns: [folder, 'data', 'dist*', 'screenshots', 'test-results'],
  reporters: ['json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: join(folder, `${room}.json`) },
  htmlReporter: { fileName: join(folder, `${room}.html`) },
}
