import { Readable } from 'node:stream'
import { addressIds } from '../../keys/address-id.ts'
import { unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { batches } from '../../shared/batches.ts'
import type { Departure, HeardDeparture, Standings } from '../../store/standing.ts'
import { readReport } from '../../tables/report-message.ts'
import { type SuppressReading, suppressRows } from '../../tables/suppress-rows.ts'
import type { TableFile } from '../../tables/table-rows.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { grouped } from '../../terminal/words.ts'
import { rowProblemInWords } from './table-words.ts'

export interface SuppressOptions extends TableFile, SuppressReading {
  readonly linkKey: Buffer
  /** Accepts a report without an unsubscribe link of ours. */
  readonly withoutProof?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

export type SuppressStore = Pick<Standings, 'set' | 'unsubscribe'>

const BATCH = 200
/**
 * How much of a message is read, in bytes: reports come first, and the returned message may be
 * long.
 */
const MESSAGE_BYTES = 1 << 20

/** `suppress`: imports bounces and complaints from a provider's file or a mail server's report. */
export async function suppress(store: SuppressStore, options: SuppressOptions, out: Out) {
  const { head, whole } = await peek(options.file)
  if (isMessage(head)) return suppressMessage(store, whole, options, out)
  return suppressTable(store, { ...options, file: whole }, out)
}

/** Peeks at the first bytes of a stream, and returns a stream that still has them. */
async function peek(file: Readable) {
  const chunks = file[Symbol.asyncIterator]()
  const { value } = await chunks.next()
  const head = Buffer.from(value ?? '')
  async function* all() {
    yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { head, whole: Readable.from(all()) }
}

/** Whether it begins like an e-mail message or a mailbox file. */
function isMessage(head: Buffer): boolean {
  return /^(?:From |[A-Za-z][A-Za-z0-9-]*:)/.test(head.subarray(0, 200).toString('latin1'))
}

async function suppressMessage(
  store: SuppressStore,
  file: Readable,
  { linkKey, withoutProof, dryRun, json }: SuppressOptions,
  out: Out,
): Promise<number> {
  const done = async (suppressed: Departure | undefined, text: string) => {
    if (json) await out.write(`${JSON.stringify({ suppressed: suppressed ?? null })}\n`)
    else out.say(text)
    return exitCodes.done
  }

  const report = await readReport(await firstBytes(file), unsubscribeTokens(linkKey))
  if (!report)
    return done(undefined, 'This reports no permanent bounce and no complaint: nothing was done.')
  const { addressId, emails, standing, detail } = report
  if (!addressId && !withoutProof)
    return done(
      undefined,
      'The message holds no unsubscribe link of ours, so anybody may have written it: nothing was done.',
    )
  const ids = addressIds(linkKey)
  const email = emails.find((one) => !addressId || ids.of(one) === addressId)
  const kept = email ? standing : 'unsubscribed'
  if (!dryRun && email) await store.set([{ email, standing, detail }])
  // The token identifies the recipient; a complaint may omit the address.
  else if (!dryRun && addressId) await store.unsubscribe(addressId)
  return done(
    kept,
    `1 ${kept}: ${dryRun ? 'they would get no more letters. Nothing was changed.' : 'no more letters.'}`,
  )
}

/** Reads and discards the rest, so that the writing program gets no broken pipe. */
async function firstBytes(file: Readable): Promise<Buffer> {
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of file) {
    if (size < MESSAGE_BYTES) kept.push(chunk)
    size += chunk.length
  }
  const message = Buffer.concat(kept).subarray(0, MESSAGE_BYTES)
  // A mailbox file has a line `From …` before the message.
  const isMailbox = message.subarray(0, 5).toString('latin1') === 'From '
  return isMailbox ? message.subarray(message.indexOf(0x0a) + 1) : message
}

async function suppressTable(store: SuppressStore, options: SuppressOptions, out: Out) {
  const { dryRun, json } = options
  const counts = { unsubscribed: 0, bounced: 0, complained: 0, harmless: 0, refused: 0 }
  const refuse = async (place: string, problem: string) => {
    counts.refused += 1
    await out.write(
      `${json ? JSON.stringify({ place, refused: problem }) : `${place}: ${problem}`}\n`,
    )
  }

  for await (const rows of batches(suppressRows(options, options), BATCH)) {
    const heard: HeardDeparture[] = []
    for (const row of rows)
      if (row.kind === 'problem') await refuse(row.place, rowProblemInWords(row.problem))
      else if (row.kind === 'harmless') counts.harmless += 1
      else heard.push(row.heard)
    if (!dryRun) await store.set(heard)
    for (const { standing } of heard) counts[standing] += 1
  }

  if (json) await out.write(`${JSON.stringify(counts)}\n`)
  else {
    const { unsubscribed, bounced, complained, harmless, refused } = counts
    out.say(
      [
        `${grouped(bounced)} bounced, ${grouped(complained)} complained, ${grouped(unsubscribed)} unsubscribed:`,
        dryRun ? 'they would get no more letters.' : 'they get no more letters.',
        `${grouped(harmless)} were temporary or harmless, ${grouped(refused)} refused.`,
        ...(dryRun ? ['Nothing was changed.'] : []),
      ].join(' '),
    )
  }
  return counts.refused > 0 ? exitCodes.partly : exitCodes.done
}
