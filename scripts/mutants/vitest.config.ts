import { defineConfig } from 'vitest/config'
import project from '../../vitest.config.ts'

const { projects: _, tags = [], ...test } = project.test ?? {}

/** The tests of the folder, of what `npm test` runs, in one process: programs run the code as it is. */
export default defineConfig({
  ...project,
  test: {
    ...test,
    tags: tags.map((tag) => ({ ...tag, skip: tag.name === 'long' })),
    include: [`tests/${process.env.MUTANTS_FOLDER}/**/*.test.ts`],
    isolate: false,
  },
})
