import { resolve } from 'node:path'
import { inject, vi } from 'vitest'
import { rooms } from './rooms.ts'

/**
 * The first run looks which test comes by which mistake. It loads all that is changed before the first
 * test: else a mistake in what a file does as it is loaded is shown to that test alone which loads it
 * first, since all of them share a process. And there is no mistake in it yet, so nothing waits for
 * ever: a test may take long on a busy machine.
 */
if (inject('mode' as never) === 'dry-run') {
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
  const { MUTANTS_ROOM: room = '', MUTANTS_FILES: files = '' } = process.env
  const first = rooms[room]?.first ?? []
  for (const file of [first, files.split(',')].flat()) await import(resolve(file))
}
