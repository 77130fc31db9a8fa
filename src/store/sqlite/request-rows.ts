import { type AddressIds, isAddressId } from '../../keys/address-id.ts'
import { isNetworkId } from '../../keys/network-id.ts'
import { parseExtra } from '../../people/extra.ts'
import { shownFrom } from '../../people/pending.ts'
import type { Asked } from '../../people/request.ts'
import { ask } from '../../people/requests.ts'
import { placeInLine } from '../../people/signs.ts'
import { cleanDetail } from '../../people/standing.ts'
import { parseEmail } from '../../shared/email.ts'
import { sourceFrom } from '../../shared/source.ts'
import { objectIn } from '../../shared/stored-json.ts'
import { storedTime } from '../../shared/stored-time.ts'
import type { Sql } from './connection.ts'
import { keepCounts } from './counters.ts'
import { personsIn } from './persons.ts'

/** One time that an address was left. */
export interface RequestRow extends Asked {
  readonly email: string
}

/** Writes them as they come, without looking anything up. */
export function appendRequests(sql: Sql, rows: readonly RequestRow[], now: Date): void {
  // Most of a group saw the same page: written as text for each row, `shown` would cost more than all
  // the rest.
  for (const [shown, some] of Map.groupBy(rows, (row) => row.shown))
    sql(`
      INSERT INTO requests (line, email, askedAt, shown, said)
      SELECT value ->> 0, value ->> 1, :now, :shown, value ->> 2 FROM json_each(:rows)`).run({
      now: now.toISOString(),
      shown: JSON.stringify(shown),
      rows: JSON.stringify(
        some.map(({ email, shown: _, ...said }) => [
          placeInLine(said.suspicion, said.isCrowd),
          email,
          said,
        ]),
      ),
    })
}

/** How many are taken in by one transaction, since visitors wait for its end. */
const AT_ONCE = 50

/**
 * Takes in what was asked, in the order of the line.
 *
 * @param emails only those of these addresses, all of them. @returns whether more may wait.
 */
export function takeInRequests(
  sql: Sql,
  addressIds: AddressIds,
  emails?: readonly string[],
): boolean {
  const rows = emails
    ? sql(`SELECT * FROM requests WHERE email IN (${listed}) ORDER BY id`).all(
        JSON.stringify(emails),
      )
    : sql(`SELECT * FROM requests ORDER BY line, id LIMIT ${AT_ONCE}`).all()
  if (rows.length === 0) return false
  const counts = new Map<string, number>()
  const persons = personsIn(sql, addressIds, counts)
  for (const row of rows) {
    sql('DELETE FROM requests WHERE id = ?').run(Number(row.id))
    const found = requestRowIn(row)
    if (!found) continue
    const { email, at, ...asked } = found
    persons.change(addressIds.of(email), (one) => ask(one, email, asked, at))
  }
  keepCounts(sql, counts)
  return rows.length === AT_ONCE
}

/** Erases what was asked of addresses, and that they brought others. */
export function eraseRequests(sql: Sql, addressIds: AddressIds, emails: readonly string[]): void {
  sql(`DELETE FROM requests WHERE email IN (${listed})`).run(JSON.stringify(emails))
  sql(`
    UPDATE requests SET said = json_remove(said, '$.broughtBy')
    WHERE iif(json_valid(said), said ->> 'broughtBy', NULL) IN (${listed})`).run(
    JSON.stringify(emails.map((email) => addressIds.of(email))),
  )
}

const listed = 'SELECT value FROM json_each(?)'

/** Reads a row of the list or of a copy, which anybody may have made. */
export function requestRowIn(
  row: Readonly<Record<string, unknown>>,
): (RequestRow & { readonly at: Date }) | undefined {
  const { email } = row
  const [at, shown, said = {}] = [storedTime(row.askedAt), shownFrom(row.shown), objectIn(row.said)]
  if (!at || !shown || typeof email !== 'string' || parseEmail(email) !== email) return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    email,
    at,
    shown,
    isCrowd: said.isCrowd === true,
    suspicion: cleanDetail(text(said.suspicion)),
    source: sourceFrom(said.source),
    fields: parseExtra(said.fields),
    network: isNetworkId(said.network) ? said.network : undefined,
    broughtBy: isAddressId(text(said.broughtBy)) ? text(said.broughtBy) : undefined,
  }
}
