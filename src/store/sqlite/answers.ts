import type { AddressIds } from '../../keys/address-id.ts'
import type { Answers } from '../answers.ts'
import { withFields } from '../extra.ts'
import { consentIn } from '../pending.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteAnswered } from './event-rows.ts'
import { extraOf, setExtra } from './known.ts'
import { signUpOf, writeBound } from './standing-rows.ts'
import { wasWrittenTo } from './standings.ts'

export function sqliteAnswers(database: SqliteDatabase, addressIds: AddressIds): Answers {
  const bound = { write: database.writeForVisitor }
  const set = (sql: Sql, addressId: string, answer: string) =>
    setExtra(sql, addressId, withFields(extraOf(sql, addressId), { answer }))

  return {
    keepFromLetter: (addressId, answer) =>
      writeBound(bound, addressIds, (sql) => {
        if (!consentIn(extraOf(sql, addressId)) && !wasWrittenTo(sql, addressId)) return
        set(sql, addressId, answer)
        noteAnswered(sql, addressIds, addressId, true)
      }),

    keep: (email, answer) =>
      writeBound(bound, addressIds, (sql) => {
        const addressId = addressIds.of(email)
        const isKept = answer !== undefined && signUpOf(sql, email) !== undefined
        if (isKept) set(sql, addressId, answer)
        noteAnswered(sql, addressIds, addressId, isKept, email)
        // Without this write, nothing would be synced where nothing is kept.
        sql('UPDATE groupCommits SET number = number + 1').run()
      }),
  }
}
