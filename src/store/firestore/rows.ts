import { type DocumentSnapshot, FieldValue, Timestamp } from '@google-cloud/firestore'
import { languageCode } from '../../shared/language-code.ts'
import {
  type Delivery,
  type DeliveryResult,
  type DeliveryStatus,
  type SuppressionReason,
  suppressionReasons,
} from '../delivery-ledger.ts'
import { timeIn } from './stored-time.ts'

/**
 * A delivery as it is stored. One of two fields holds when it is due, and only `queued` rows have
 * them: so Firestore's own index of each field finds the next ones in order.
 */
export interface Row {
  readonly email?: string
  readonly status: DeliveryStatus
  readonly tries: number
  readonly changedAt: Timestamp
  readonly answer?: string
  /** Why it is `suppressed`. */
  readonly standing?: SuppressionReason
  readonly language?: string
  /** The run that claimed it last. */
  readonly owner?: string
  readonly untriedDueAt?: Timestamp
  readonly triedDueAt?: Timestamp
}

export const dueFields = { untried: 'untriedDueAt', tried: 'triedDueAt' } as const

const notDue = { untriedDueAt: FieldValue.delete(), triedDueAt: FieldValue.delete() }

/** The change that gives a row another status than `queued`. */
export function settledAs(status: Exclude<DeliveryStatus, 'queued'>) {
  return { status, changedAt: FieldValue.serverTimestamp(), ...notDue }
}

/** The change that puts a row in the queue. */
export function queuedAt(dueAt: Date, tries: number) {
  const due = tries > 0 ? dueFields.tried : dueFields.untried
  return {
    status: 'queued',
    changedAt: FieldValue.serverTimestamp(),
    ...notDue,
    [due]: Timestamp.fromDate(dueAt),
  } as const
}

/** The change that a result makes to its row; none if the row has had a later try. */
export function changeBy(
  result: DeliveryResult,
  row: Row | undefined,
  owner: string,
): object | undefined {
  const isOfThatTry = row?.owner === owner && row.tries === result.tries
  if (!isOfThatTry || !['sending', 'uncertain'].includes(row.status)) return undefined
  if (result.status === 'returned') {
    const tries = row.tries - 1
    return { ...queuedAt(result.dueAt, tries), tries }
  }
  if (result.status === 'suppressed')
    return { ...settledAs('suppressed'), standing: result.standing, tries: row.tries - 1 }
  const { status, answer, language } = result
  const place = status === 'queued' ? queuedAt(result.dueAt, row.tries) : settledAs(status)
  return { ...place, answer, ...(language && { language }) }
}

/** Those for whom the announcement left by these results, with their addresses. */
export function toldBy(
  results: readonly DeliveryResult[],
  rows: readonly DocumentSnapshot[],
  owner: string,
): { readonly addressId: string; readonly email: string | undefined }[] {
  return results.flatMap((result, i) => {
    const row = rows[i] && rowOf(rows[i])
    const isSent = result.status === 'sent' && changeBy(result, row, owner) !== undefined
    return isSent ? [{ addressId: result.addressId, email: row?.email }] : []
  })
}

export function rowOf(document: DocumentSnapshot): Row | undefined {
  return document.data() as Row | undefined
}

export function toDelivery(announcement: string, row: Row): Delivery {
  const { email: kept, status, tries, answer: said } = row
  const email = typeof kept === 'string' ? kept : undefined
  const answer = typeof said === 'string' ? said : undefined
  const changedAt = timeIn(row.changedAt)
  const standing = standingIn(row)
  const language = languageCode(row.language)
  const common = { announcement, email, status, tries, changedAt, answer }
  return { ...common, ...(standing && { standing }), ...(language && { language }) }
}

/** Why a row is `suppressed`. Rows from before the reason was kept had unsubscribed. */
export function standingIn({ status, standing }: Row): SuppressionReason | undefined {
  if (status !== 'suppressed') return undefined
  return suppressionReasons.find((one) => one === standing) ?? 'unsubscribed'
}
