import { type DocumentReference, type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import type { Opening, Openings } from '../opening.ts'
import type { Restorable } from '../restore-target.ts'
import type { FirestoreConnection } from './connection.ts'

/** With the read of the version, 8,640 reads a day and server, of the 50,000 that are free. */
const LOOK_EVERY_MS = 20_000

/** One document. Firestore reports its changes within a moment; the looks are for lost reports. */
export function firestoreOpening(
  { use, transaction }: FirestoreConnection,
  ref: DocumentReference,
): Openings & Restorable<'opening'> {
  return {
    lookEveryMs: LOOK_EVERY_MS,

    get: async () => openingIn(await use(() => ref.get())),

    onChange(changed) {
      let end = () => {}
      // The library listens again by itself, but not after an error that it takes as final.
      const listen = () => {
        end = ref.onSnapshot(changed, () => {
          const again = setTimeout(listen, LOOK_EVERY_MS)
          end = () => clearTimeout(again)
        })
      }
      listen()
      return () => end()
    },

    set: (opening) =>
      transaction(async (work) => {
        const before = openingIn(await work.get(ref))
        work.set(ref, fieldsOf(opening))
        return before
      }),

    noteOpened: (opening, openedAt) =>
      transaction(async (work) => {
        const kept = openingIn(await work.get(ref))
        const isSame = kept?.url === opening.url && Number(kept.at) === Number(opening.at)
        if (isSame && !kept.openedAt) work.update(ref, { openedAt: Timestamp.fromDate(openedAt) })
      }),

    undo: () =>
      transaction(async (work) => {
        const before = openingIn(await work.get(ref))
        // A document without a url means that the opening was undone, so that no copy brings it
        // back.
        if (before) work.update(ref, { url: null, openedAt: null })
        return before
      }),

    restore: (opening) =>
      transaction(async (work) => {
        const isNew = !(await work.get(ref)).exists
        if (isNew) work.create(ref, fieldsOf(opening))
        return isNew
      }),
  }
}

function fieldsOf({ url, at, zone, openedAt }: Opening) {
  const opened = openedAt ? Timestamp.fromDate(openedAt) : null
  return { url, at: Timestamp.fromDate(at), zone, openedAt: opened }
}

function openingIn(document: DocumentSnapshot): Opening | undefined {
  const { url, at, zone, openedAt } = document.data() ?? {}
  if (typeof url !== 'string' || !(at instanceof Timestamp)) return undefined
  return {
    url,
    at: at.toDate(),
    zone: String(zone),
    openedAt: openedAt instanceof Timestamp ? openedAt.toDate() : undefined,
  }
}
