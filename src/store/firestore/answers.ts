import type { AddressIds } from '../../keys/address-id.ts'
import type { Answers } from '../answers.ts'
import { withFields } from '../extra.ts'
import type { FirestoreConnection } from './connection.ts'
import { knownIn } from './known.ts'
import { type FirestoreRecords, recordsIn } from './records.ts'
import type { FirestoreStandings } from './standings.ts'

export function firestoreAnswers(
  { transaction }: FirestoreConnection,
  records: FirestoreRecords,
  { bind, entries, changeFields }: FirestoreStandings,
  addressIds: AddressIds,
): Answers {
  return {
    keepFromLetter: (addressId, answer) =>
      changeFields(addressId, (extra) => withFields(extra, { answer })),

    async keep(email, answer) {
      await bind()
      const place = entries.doc(addressIds.of(email))
      await transaction(async (work) => {
        const [entry, theirs] = await Promise.all([
          work.get(place),
          work.get(records.of(email).limit(1)),
        ])
        const isKept = answer !== undefined && recordsIn(theirs).length > 0
        const extra = isKept && withFields(knownIn(entry).extra, { answer })
        // A write that changes nothing takes as long.
        if (extra) work.set(place, { extra: JSON.stringify(extra) }, { merge: true })
        else work.set(place, {}, { merge: true })
      })
    },
  }
}
