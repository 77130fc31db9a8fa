import type { ImportedSubscriber, Origin } from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import { ownCollection } from './own-collection.ts'

/*
 * An import adds people who never signed up at the page, and may know an earlier time of those who
 * did. So `documents.signedUpAt` says when they signed up at the page, where that is not the time of
 * the record: it is empty for those who never did.
 */

/** When a row signed up at the page, in SQL; empty if it never did. */
export const pageTime = `coalesce(signedUpAt, data ->> 'subscribedAt')`

/** @param page as `pageTime` gives it. */
export function originOf(page: unknown): Origin {
  return page === '' ? { isImported: true } : {}
}

/** Adds somebody, or gives the earlier times to somebody who is on the list. */
export function addImported(
  sql: Sql,
  { email, subscribedAt, signedUpAt }: ImportedSubscriber,
): void {
  const time = `data ->> 'subscribedAt'`
  const earliest = `min(:at, ${time})`
  const page = `CASE WHEN :page = '' THEN ${pageTime} WHEN ${pageTime} = '' THEN :page
    ELSE min(:page, ${pageTime}) END`
  sql(`
    INSERT INTO documents (id, collection, data, signedUpAt)
    SELECT coalesce(max(id), 0) + 1, ${ownCollection},
      json_object('email', :email, 'subscribedAt', :at), nullif(:page, :at) FROM documents
    WHERE true
    ON CONFLICT (data ->> 'email') DO UPDATE SET
      data = iif(:at < ${time}, excluded.data, data), signedUpAt = nullif(${page}, ${earliest})
    WHERE :at < ${time} OR ${page} <> ${pageTime}`).run({
    email,
    at: subscribedAt.toISOString(),
    page: signedUpAt?.toISOString() ?? '',
  })
}

/** Notes that a quarantined address is not one of the page's, whose days it is no part of. */
export function markImported(sql: Sql, addressId: string): void {
  sql(`
    UPDATE standings SET isImported = 1 WHERE addressId = ? AND standing = 'quarantined'`).run(
    addressId,
  )
}
