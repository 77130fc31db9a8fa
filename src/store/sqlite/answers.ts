import type { AddressIds } from '../../keys/address-id.ts'
import { type Answers, isBroughtBy } from '../answers.ts'
import { withFields } from '../extra.ts'
import { consentIn } from '../pending.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteAnswered } from './event-rows.ts'
import { extraOf, setExtra } from './known.ts'
import { entryOf, signUpOf, writeBound } from './standing-rows.ts'
import { wasWrittenTo } from './standings.ts'

export function sqliteAnswers(database: SqliteDatabase, addressIds: AddressIds): Answers {
  const set = (sql: Sql, addressId: string, answer: string) =>
    setExtra(sql, addressId, withFields(extraOf(sql, addressId), { answer }))

  return {
    keepFromLetter: (addressId, answer) =>
      writeBound(database, addressIds, (sql) => {
        if (!consentIn(extraOf(sql, addressId)) && !wasWrittenTo(sql, addressId)) return
        set(sql, addressId, answer)
        noteAnswered(sql, addressIds, addressId, true)
      }),

    keep: (email, answer, signedUpAt) =>
      writeBound(database, addressIds, (sql) => {
        const addressId = addressIds.of(email)
        const [listedAt, known] = [signUpOf(sql, email), entryOf(sql, addressId)]
        const isTheirs = !signedUpAt || isBroughtBy(signedUpAt, listedAt, known)
        const isKept = answer !== undefined && listedAt !== undefined && isTheirs
        if (isKept) set(sql, addressId, answer)
        noteAnswered(sql, addressIds, addressId, isKept, email)
        // Without this write, nothing would be synced where nothing is kept.
        sql('UPDATE commits SET number = number + 1').run()
      }),
  }
}
