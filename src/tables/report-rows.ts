import { addressIds } from '../keys/address-id.ts'
import { unsubscribeTokens } from '../keys/unsubscribe-token.ts'
import type { ReadMessage } from '../mail/read-message.ts'
import { type Report, readReport } from './report-message.ts'
import type { SuppressRow } from './suppress-rows.ts'

export interface ReportReading {
  readonly linkKey: Buffer
  /** Accepts a report without an unsubscribe link of ours. */
  readonly withoutProof?: boolean
}

/** What messages report: a row for each. */
export async function* reportRows(
  messages: AsyncIterable<ReadMessage>,
  { linkKey, withoutProof }: ReportReading,
): AsyncIterable<SuppressRow> {
  const [ids, tokens] = [addressIds(linkKey), unsubscribeTokens(linkKey)]
  let number = 0
  for await (const message of messages) {
    number += 1
    const place = `message ${number}`
    if (message.isCut) yield { kind: 'problem', place, problem: { code: 'cut' } }
    const report = readReport(message, tokens)
    if (!report) yield { kind: 'harmless' }
    else if (report.addressId || withoutProof) yield rowOf(report, ids.of)
    else yield { kind: 'problem', place, problem: { code: 'no-proof' } }
  }
}

/** The token says who it was; what the report says of the recipient only names their address. */
function rowOf(
  { says, detail, emails, addressId, at, id }: Report,
  idOf: (email: string) => string,
): SuppressRow {
  const email = emails.find((one) => !addressId || idOf(one) === addressId)
  if (!email)
    return says !== 'full' && says !== 'other' && addressId
      ? { kind: 'unsubscribe', addressId }
      : { kind: 'harmless' }
  if (says === 'complained' || says === 'unsubscribed')
    return { kind: 'departure', heard: { email, standing: says, at, detail } }
  return { kind: 'refusal', heard: { email, refusal: says, at, detail, report: id } }
}
