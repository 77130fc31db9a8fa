import type { AddressIds } from '../../keys/address-id.ts'
import type { BrowserRequests } from '../browser-requests.ts'
import type { Store } from '../store.ts'
import { firestoreAnswers } from './answers.ts'
import { firestoreBrowserRequests } from './browser-requests.ts'
import { firestoreConnection } from './connection.ts'
import { firestoreDeskAccess } from './desk-access.ts'
import { firestoreEventNotes } from './event-notes.ts'
import { firestoreEvents } from './events.ts'
import { firestoreGrowth } from './growth.ts'
import { inTurns } from './in-turn.ts'
import { firestoreInvitations } from './invitations.ts'
import { firestoreLedger } from './ledger.ts'
import { firestoreList } from './list.ts'
import { firestoreListHold } from './list-hold.ts'
import { firestoreLock } from './lock.ts'
import { firestoreNotices } from './notices.ts'
import { firestoreOpening } from './opening.ts'
import { firestoreOutbox } from './outbox.ts'
import { firestorePaths } from './paths.ts'
import { firestorePeople } from './people.ts'
import { firestoreQuarantine } from './quarantine.ts'
import { firestoreRecords } from './records.ts'
import { firestoreRefusals } from './refusals.ts'
import { firestoreRestore } from './restore.ts'
import { firestoreSignUps } from './sign-ups.ts'
import { firestoreSources } from './sources.ts'
import { firestoreStandings } from './standings.ts'
import { firestoreUnreadable } from './unreadable.ts'
import { withVersion } from './version-gate.ts'
import { firestoreVisits } from './visits.ts'

export interface FirestoreStoreOptions {
  /** The Google Cloud project; that of the credentials, if not given. */
  readonly projectId?: string | undefined
  readonly appId: string
  readonly addressIds: AddressIds
  /** Gets a sentence when an outage begins and when it ends; without addresses. */
  readonly log: (message: string) => void
}

/**
 * Stores everything in the Firestore that a page without a server writes to. Credentials are
 * Google's application default ones; `FIRESTORE_EMULATOR_HOST` selects an emulator instead.
 */
export function firestoreStore(options: FirestoreStoreOptions): Store & {
  readonly browserRequests: BrowserRequests
} {
  const { projectId, appId, addressIds, log } = options
  const bare = firestoreConnection(projectId, log)
  const paths = firestorePaths(bare.db, appId)
  const connection = withVersion(bare, paths, log)
  const records = firestoreRecords(connection, appId)
  const notes = firestoreEventNotes(connection, paths, addressIds)
  const standings = firestoreStandings(connection, paths, records, addressIds, notes)
  const list = firestoreList(connection, paths, records, standings, addressIds, notes)
  const { keepFirst, ...sources } = firestoreSources(
    connection,
    paths,
    records,
    standings,
    addressIds,
  )
  const inTurn = inTurns()
  const { addSuspect, addReported, ...quarantine } = firestoreQuarantine(
    connection,
    paths,
    records,
    standings,
    addressIds,
    inTurn,
    notes,
  )
  const { checkWritable, close, ...signUps } = firestoreSignUps(
    connection,
    records,
    list,
    addSuspect,
    keepFirst,
    addReported,
    notes,
  )
  const outbox = firestoreOutbox(connection, paths, records, standings, addressIds, inTurn, notes)
  const invitations = firestoreInvitations(connection, paths)
  const opening = firestoreOpening(connection, paths.opening)
  const visits = firestoreVisits(connection, paths)

  return {
    list: { ...signUps, ...list },
    standings,
    refusals: firestoreRefusals(standings),
    quarantine,
    outbox,
    answers: firestoreAnswers(connection, records, standings, addressIds, notes),
    ledger: firestoreLedger(connection, paths, records, standings, list, addressIds, notes),
    lock: firestoreLock(connection, paths.runLock),
    invitations,
    opening,
    visits: { ...visits, ...sources },
    growth: firestoreGrowth(connection, records, standings, list, addressIds),
    people: firestorePeople(connection, paths, records, addressIds),
    events: firestoreEvents(connection, paths, notes, standings, addressIds),
    notices: firestoreNotices(connection, paths, records, list, appId),
    desk: firestoreDeskAccess(connection, paths.deskAccess),
    hold: firestoreListHold(connection, paths.listHold),
    unreadable: firestoreUnreadable(connection, paths, records),
    restore: {
      ...firestoreRestore(connection, paths, standings),
      pending: outbox.restore,
      visits: visits.restore,
      sources: sources.restore,
      opening: opening.restore,
    },
    browserRequests: firestoreBrowserRequests(connection, paths),
    checkWritable,
    close,
  }
}
