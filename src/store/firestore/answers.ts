import type { AddressIds } from '../../keys/address-id.ts'
import type { Answers } from '../answers.ts'
import { withFields } from '../extra.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestoreEventNotes } from './event-notes.ts'
import { inForce, knownIn } from './known.ts'
import { type FirestoreRecords, recordsIn } from './records.ts'
import type { FirestoreStandings } from './standings.ts'

export function firestoreAnswers(
  { transaction }: FirestoreConnection,
  records: FirestoreRecords,
  { bind, entries, changeFields }: FirestoreStandings,
  addressIds: AddressIds,
  notes: FirestoreEventNotes,
): Answers {
  return {
    keepFromLetter: (addressId, answer) =>
      changeFields(addressId, (extra) => withFields(extra, { answer }), ['answered']),

    async keep(email, answer) {
      await bind()
      const addressId = addressIds.of(email)
      const place = entries.doc(addressId)
      const isTold = await notes.isOn(['answered'])
      await transaction(async (work) => {
        const [entry, theirs, last, note] = await Promise.all([
          work.get(place),
          work.get(records.of(email).limit(1)),
          isTold ? records.last(email, work) : undefined,
          isTold ? notes.read(work, [addressId]) : undefined,
        ])
        const isKept = answer !== undefined && recordsIn(theirs).length > 0
        const known = knownIn(entry)
        const extra = isKept && withFields(known.extra, { answer })
        // A write that changes nothing takes as long.
        if (extra) work.set(place, { extra: JSON.stringify(extra) }, { merge: true })
        else work.set(place, {}, { merge: true })
        note?.(addressId, email, isKept && !inForce(known, last) ? ['answered'] : [])
      })
    },
  }
}
