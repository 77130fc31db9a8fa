import type { AddressIds } from '../../keys/address-id.ts'
import { withFields } from '../../people/extra.ts'
import { hasConsent, isOnList, type Person, standingOf } from '../../people/person.ts'
import type { Answers } from '../answers.ts'
import { writeBound } from './bound.ts'
import type { SqliteDatabase } from './database.ts'
import { countNote } from './notes.ts'
import { personsIn } from './persons.ts'
import { wasWrittenTo } from './standings.ts'

export function sqliteAnswers(database: SqliteDatabase, addressIds: AddressIds): Answers {
  const withAnswer = (one: Person, answer: string): Person => ({
    ...one,
    fields: withFields(one.fields, { answer }),
  })

  return {
    keepFromLetter: (addressId, answer) =>
      writeBound(database, addressIds, (sql) => {
        const persons = personsIn(sql, addressIds)
        if (!hasConsent(persons.of(addressId)) && !wasWrittenTo(sql, addressId)) return
        persons.change(addressId, (one) => withAnswer(one, answer))
      }),

    keep: (email, answer, signedUpAt) =>
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
