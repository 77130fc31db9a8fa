import { type DocumentSnapshot, Timestamp, type Transaction } from '@google-cloud/firestore'
import type { Announcement, DeliveryLedger } from '../delivery-ledger.ts'
import { paceFrom, paceText } from '../pace.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestorePaths } from './paths.ts'
import { timeIn } from './stored-time.ts'
import type { WhileOwner } from './while-owner.ts'

type Announcements = Pick<
  DeliveryLedger,
  'announcements' | 'findAnnouncement' | 'begin' | 'moveCutOff' | 'countEligible' | 'keepPace'
>

/** The part of the ledger that has a document for each announcement. */
export function firestoreAnnouncements(
  { use }: FirestoreConnection,
  { announcements, deliveries }: FirestorePaths,
  list: SubscriberList,
  { owned }: WhileOwner,
): Announcements {
  async function find(id: string): Promise<Announcement | undefined> {
    const document = await use(() => announcements.doc(id).get())
    return document.exists ? toAnnouncement(document) : undefined
  }

  /** Changes an announcement. @returns it as it is then. */
  async function change(
    owner: string,
    id: string,
    work: (transaction: Transaction, document: DocumentSnapshot, now: Timestamp) => void,
  ): Promise<Announcement> {
    await owned(owner, async (transaction, now) => {
      const document = await transaction.get(announcements.doc(id))
      work(transaction, document, Timestamp.fromDate(now))
    })
    return found(await find(id))
  }

  async function countForgotten(id: string): Promise<number> {
    const answer = await use(() => deliveries(id).where('status', '==', 'forgotten').count().get())
    return answer.data().count
  }

  return {
    async announcements() {
      const { docs } = await use(() => announcements.orderBy('begunAt', 'desc').get())
      return docs.map(toAnnouncement)
    },

    findAnnouncement: find,

    begin: (owner, id, { subject, digest }) =>
      change(owner, id, (transaction, document, now) => {
        const begun = { begunAt: now, cutOff: now, eligible: null }
        if (document.exists) transaction.update(document.ref, { subject, digest })
        else transaction.create(document.ref, { subject, digest, ...begun })
      }),

    moveCutOff: (owner, id) =>
      change(owner, id, (transaction, document, now) => {
        transaction.update(document.ref, { cutOff: now, eligible: null })
      }),

    async keepPace(owner, id, pace) {
      await change(owner, id, (transaction, document) => {
        transaction.update(document.ref, { pace: paceText(pace) })
      })
    },

    async countEligible(owner, id) {
      const { cutOff } = found(await owned(owner, () => find(id)))
      for (;;) {
        const before = await countForgotten(id)
        const subscribers = await list.countIn({ until: cutOff, standing: 'all' })
        const forgotten = await countForgotten(id)
        // Subscribers who were forgotten in between may have been counted twice.
        if (forgotten !== before) continue
        return change(owner, id, (transaction, document) => {
          transaction.update(document.ref, { eligible: subscribers + forgotten })
        })
      }
    },
  }
}

/** @throws when there is no such announcement: a mistake of the caller. */
function found(announcement: Announcement | undefined): Announcement {
  if (!announcement) throw new Error('There is no such announcement.')
  return announcement
}

function toAnnouncement(document: DocumentSnapshot): Announcement {
  const { subject, digest, begunAt, cutOff, eligible, pace: text } = document.data() ?? {}
  const pace = paceFrom(text)
  return {
    id: document.id,
    subject: String(subject),
    digest: String(digest),
    eligible: Number.isSafeInteger(eligible) ? eligible : undefined,
    // Without a time, no subscriber is new to it.
    begunAt: timeIn(begunAt),
    cutOff: timeIn(cutOff),
    ...(pace && { pace }),
  }
}
