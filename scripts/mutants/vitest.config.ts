import { statSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import project from '../../vitest.config.ts'
import { rooms } from './rooms.ts'

/** Small files first: the long ones wait for servers, and one that notices is enough. */
class SmallFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const size = ({ moduleId }: TestSpecification) => statSync(moduleId).size
    return files.toSorted((one, other) => size(one) - size(other))
  }
}

const { projects: _, tags = [], ...others } = project.test ?? {}
// What `npm test` runs is to notice.
const test = { ...others, tags: tags.map((tag) => ({ ...tag, skip: tag.name === 'long' })) }
const { MUTANTS_ROOM: room = '', MUTANTS_TESTS: tests } = process.env
const include = tests ? tests.split(',') : [...(rooms[room]?.tests ?? [])]

// One process for all of it: starting one for each file would cost more than the tests do.
export default mergeConfig(
  { ...project, test },
  defineConfig({
    test: {
      include,
      setupFiles: ['scripts/mutants/load-first.ts'],
      isolate: false,
      sequence: { sequencer: SmallFirst },
      // A mistake that makes a test wait for ever costs no more; a busy machine has room for the others.
      testTimeout: 40_000,
      hookTimeout: 40_000,
      expect: { poll: { timeout: 30_000 } },
    },
  }),
)
