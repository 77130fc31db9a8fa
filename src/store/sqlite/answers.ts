import type { AddressIds } from '../../keys/address-id.ts'
import type { Answers } from '../answers.ts'
import { withFields } from '../extra.ts'
import { consentIn } from '../pending.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
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
        if (consentIn(extraOf(sql, addressId)) || wasWrittenTo(sql, addressId))
          set(sql, addressId, answer)
      }),

    keep: (email, answer) =>
      writeBound(bound, addressIds, (sql) => {
        if (answer !== undefined && signUpOf(sql, email) !== undefined)
          set(sql, addressIds.of(email), answer)
        // Without this write, nothing would be synced where nothing is kept.
        sql('UPDATE groupCommits SET number = number + 1').run()
      }),
  }
}
