import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The page's own folder has a copy too, once a page was built for Firebase.
  resolve: { dedupe: ['firebase'] },
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: 'tests/emulators/shared-firestore.ts',
    // Processes, not threads: some tests change what theirs may do.
    pool: 'forks',
    // More than half of their time they wait, for programs, emulators and deadlines.
    maxWorkers: availableParallelism() + 1,
    tags: [
      { name: 'thorough', description: 'Takes seconds a test: `npm run check` leaves it out.' },
    ],
    // Against hanging, not against a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
