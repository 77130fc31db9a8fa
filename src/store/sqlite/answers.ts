import type { AddressIds } from '../../keys/address-id.ts'
import type { Answers } from '../answers.ts'
import { withFields } from '../extra.ts'
import type { SqliteDatabase } from './database.ts'
import { extraOf, setExtra } from './known.ts'
import { signUpOf, writeBound } from './standing-rows.ts'

export function sqliteAnswers(database: SqliteDatabase, addressIds: AddressIds): Answers {
  return {
    keep: (email, answer) =>
      writeBound({ write: database.writeForVisitor }, addressIds, (sql) => {
        const addressId = addressIds.of(email)
        if (answer !== undefined && signUpOf(sql, email) !== undefined)
          setExtra(sql, addressId, withFields(extraOf(sql, addressId), { answer }))
        // Without this write, nothing would be synced where nothing is kept.
        sql('UPDATE groupCommits SET number = number + 1').run()
      }),
  }
}
