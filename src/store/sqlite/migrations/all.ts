import { first } from './001-first.ts'
import { standings } from './002-standings.ts'
import { confirmation } from './003-confirmation.ts'
import { quarantine } from './004-quarantine.ts'
import { visits } from './005-visits.ts'
import { desk } from './006-desk.ts'
import { counts } from './007-counts.ts'
import { notices } from './008-notices.ts'
import { opening } from './009-opening.ts'
import { backUps } from './010-back-ups.ts'
import { invitations } from './011-invitations.ts'
import { waves } from './012-waves.ts'
import { brake } from './013-brake.ts'
import { languages } from './014-languages.ts'
import { events } from './015-events.ts'
import { imports } from './016-imports.ts'
import { referrals } from './017-referrals.ts'
import { refusals } from './018-refusals.ts'
import type { Migration } from './migration.ts'

/** Every step there ever was, in order. A released one never changes. */
export const migrations: readonly Migration[] = [
  first,
  standings,
  confirmation,
  quarantine,
  visits,
  desk,
  counts,
  notices,
  opening,
  backUps,
  invitations,
  waves,
  brake,
  languages,
  events,
  imports,
  referrals,
  refusals,
]

/** The version that this code reads and writes. */
export const newestVersion = migrations.length
