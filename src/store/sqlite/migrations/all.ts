import { first } from './001-first.ts'
import { standings } from './002-standings.ts'
import { confirmation } from './003-confirmation.ts'
import { quarantine } from './004-quarantine.ts'
import { visits } from './005-visits.ts'
import { backUps } from './006-back-ups.ts'
import type { Migration } from './migration.ts'

/** Every step there ever was, in order. A released one never changes. */
export const migrations: readonly Migration[] = [
  first,
  standings,
  confirmation,
  quarantine,
  visits,
  backUps,
]

/** The version that this code reads and writes. */
export const newestVersion = migrations.length
