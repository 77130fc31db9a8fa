import type { AddressIds } from '../../keys/address-id.ts'
import { withFields } from '../../people/extra.ts'
import { hasConsent, isOnList, type Person, standingOf } from '../../people/person.ts'
import { writeBound } from './bound.ts'
import type { SqliteDatabase } from './database.ts'
import { countNote } from './notes.ts'
import { personsIn } from './persons.ts'
import { wasWrittenTo } from './standings.ts'

/** Answers to the question that the page asks after a sign-up. Each method throws StoreUnavailable. */
export function sqliteAnswers(database: SqliteDatabase, addressIds: AddressIds) {
  const withAnswer = (one: Person, answer: string): Person => ({
    ...one,
    fields: withFields(one.fields, { answer }),
  })

  return {
    /**
     * The same as `keep` by the address id in a letter: for somebody who has confirmed, or is on the
     * list and was sent an announcement.
     */
    keepFromLetter: (addressId: string, answer: string): Promise<void> =>
      writeBound(database, addressIds, (sql) => {
        const persons = personsIn(sql, addressIds)
        if (!hasConsent(persons.of(addressId)) && !wasWrittenTo(sql, addressId)) return
        persons.change(addressId, (one) => withAnswer(one, answer))
      }),

    /**
     * Keeps what somebody on the list answered, instead of an earlier answer, and nothing for anybody
     * else. It takes as long whatever is kept.
     *
     * @param answer as `readAnswer` gives it; `undefined` keeps nothing.
     * @param signedUpAt of the sign-up that answers, as `add` gave it: nothing is kept where another one
     *   brought them. Left out where the operator answers.
     */
    keep: (email: string, answer: string | undefined, signedUpAt?: Date): Promise<void> =>
      writeBound(database, addressIds, (sql) => {
        const addressId = addressIds.of(email)
        const persons = personsIn(sql, addressIds)
        const one = persons.of(addressId)
        const isTheirs = !signedUpAt || isBroughtBy(signedUpAt, one)
        const kept = answer !== undefined && isOnList(one) && isTheirs && withAnswer(one, answer)
        persons.change(addressId, (known) => kept || known, { email, isAlike: true })
        // Without this write, nothing would be synced where nothing is kept.
        countNote(sql, 'commits')
      }),
  }
}

/** Whether a sign-up brought somebody: the first one without signs of a robot since they were erased. */
function isBroughtBy(signedUpAt: Date, one: Person): boolean {
  if (standingOf(one) === 'quarantined') return false
  return one.signedUp?.first.getTime() === signedUpAt.getTime()
}
