import { Timestamp } from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { type Source, sourceFrom } from '../../shared/source.ts'
import { languageIn } from '../known-fields.ts'
import type { Restorable } from '../restore-target.ts'
import type { SignUpNotes } from '../subscriber-store.ts'
import type { Visits } from '../visits.ts'
import type { FirestoreConnection } from './connection.ts'
import { fieldsOf, inForce, knownIn, withExtra } from './known.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreRecords, SubscriberRecord } from './records.ts'
import type { FirestoreStandings } from './standings.ts'

export interface FirestoreSources
  extends Pick<Visits, 'sourceOf' | 'sourcesOf'>,
    Restorable<'sources'> {
  /**
   * Keeps where an address comes from and its language, unless this record found it on the list and
   * not quarantined.
   */
  keepFirst(record: Pick<SubscriberRecord, 'id' | 'email'>, notes: SignUpNotes): Promise<void>
}

export function firestoreSources(
  { db, use, transaction }: FirestoreConnection,
  { sources }: FirestorePaths,
  records: FirestoreRecords,
  { bind, entries }: FirestoreStandings,
  addressIds: AddressIds,
): FirestoreSources {
  /** Whether an address was quarantined until this record of it. */
  async function isLifting({ id, email }: Pick<SubscriberRecord, 'id' | 'email'>) {
    const entry = await use(() => entries.doc(addressIds.of(email)).get())
    const at: unknown = entry.get('quarantinedAt')
    if (!(at instanceof Timestamp) || inForce(knownIn(entry), at)?.standing !== 'quarantined')
      return false
    return (await records.firstOf(email, at))?.id === id
  }

  const sourcesOf: Visits['sourcesOf'] = async (emails) => {
    if (emails.length === 0) return []
    const places = emails.map((email) => sources.doc(addressIds.of(email)))
    const kept = await use(() => db.getAll(...places))
    return kept.map((document) => sourceFrom(document.data()))
  }

  return {
    async keepFirst({ id, email }, { source, language }) {
      await bind()
      const oldest = await records.firstOf(email)
      // An import's is no sign-up.
      const first = oldest?.page ? oldest : oldest && (await records.firstOf(email, oldest.at))
      if (!first || (first.id !== id && !(await isLifting({ id, email })))) return
      await transaction(async (work) => {
        const addressId = addressIds.of(email)
        const [place, entry] = [sources.doc(addressId), entries.doc(addressId)]
        const [record, kept, known] = await work.getAll(records.collection.doc(id), place, entry)
        // An address that was forgotten meanwhile has no record.
        if (!record?.exists) return
        if (source && !kept?.exists) work.create(place, fieldsOfSource(source, first.at))
        const before = knownIn(known)
        if (!language || languageIn(before.extra)) return
        const { extra } = withExtra(before, { language })
        work.set(entry, fieldsOf({ times: {}, details: {}, extra }), { merge: true })
      })
    },

    sourceOf: async (email) => (await sourcesOf([email]))[0],
    sourcesOf,

    async restore(restored) {
      await bind()
      if (restored.length === 0) return
      await transaction(async (work) => {
        const known = await work.getAll(
          ...restored.flatMap(({ addressId }) => [entries.doc(addressId), sources.doc(addressId)]),
        )
        for (const [i, { source, at }] of restored.entries()) {
          const [entry, kept] = [known[2 * i], known[2 * i + 1]]
          const isForgotten = inForce(knownIn(entry), undefined)?.standing === 'forgotten'
          if (!kept || kept.exists || isForgotten) continue
          work.create(kept.ref, fieldsOfSource(source, Timestamp.fromDate(at)))
        }
      })
    },
  }
}

export function fieldsOfSource(source: Source, at: Timestamp) {
  return { ...source, at }
}
