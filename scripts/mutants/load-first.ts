import { resolve } from 'node:path'
import { inject } from 'vitest'

/**
 * Loads all that is changed before the first test, in the run that looks which test comes by which
 * mistake. Else one in what a file does as it is loaded is shown to that test alone which loads it
 * first, since all of them share a process.
 */
if (inject('mode' as never) === 'dry-run')
  for (const file of process.env.MUTANTS_FILES?.split(',') ?? []) await import(resolve(file))
