import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testFiles } from './scripts/checks/test-files.ts'

/** What waits longest begins first, so that nothing long is left for the end. */
const LONG = /\/(torture|upkeep\/update|create)\/|firestore/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const { quick, thorough, long } = testFiles()

/**
 * Files share a few processes, since to start one and to load the same modules in it again costs more
 * than most of their tests do. In the torture, each is by itself: it may fill its process.
 */
const isLong = process.env.TORTURE === 'long'
const together = { isolate: isLong }

export default defineConfig({
  // Their own folders have copies too, once a page was built for Firebase or a list was in Firestore.
  resolve: { dedupe: ['firebase', '@google-cloud/firestore'] },
  // After a build in its process, React has no functions for development any more.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    globalSetup: 'tests/emulators/shared-firestore.ts',
    // Processes, not threads: some tests change what theirs may do.
    pool: 'forks',
    sequence: { sequencer: LongFirst },
    // More than half of their time they wait, for programs, emulators and deadlines.
    maxWorkers: 2 * availableParallelism(),
    tags: [
      { name: 'thorough', description: 'Takes seconds a test: `npm run check` leaves it out.' },
      { name: 'long', description: 'Takes longer: `npm test` leaves it out as well.' },
    ],
    // Against hanging, not against a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'quick', include: quick, ...together } },
      { extends: true, test: { name: 'thorough', include: thorough, ...together } },
      // `npm run torture` alone has them: some run all other tests once more.
      ...(isLong ? [{ extends: true, test: { name: 'long', include: long } } as const] : []),
    ],
  },
})
