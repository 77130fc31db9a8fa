import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Processes, not threads: some tests change what theirs may do.
    pool: 'forks',
    // Against hanging, not against a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
