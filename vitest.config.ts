import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Processes, not threads: some tests change what theirs may do.
    pool: 'forks',
    // Most of them wait for programs, so a core left free is a core wasted.
    maxWorkers: '100%',
    tags: [
      { name: 'thorough', description: 'Takes seconds a test: `npm run check` leaves it out.' },
    ],
    // Against hanging, not against a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
