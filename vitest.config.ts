import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Processes, not threads: some tests change what theirs may do.
    pool: 'forks',
    // Only a test that hangs should meet these, not one on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
