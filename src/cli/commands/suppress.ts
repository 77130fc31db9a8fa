import { Readable } from 'node:stream'
import { readMessages } from '../../mail/read-message.ts'
import { batches } from '../../shared/batches.ts'
import { manyRefusedInWords } from '../../shared/many-refused.ts'
import type { HeardRefusal } from '../../store/refusal.ts'
import type { Refusals, Standings } from '../../store/store.ts'
import type { HeardDeparture } from '../../store/subscriber-list.ts'
import { type ReportReading, reportRows } from '../../tables/report-rows.ts'
import { type SuppressReading, type SuppressRow, suppressRows } from '../../tables/suppress-rows.ts'
import type { TableFile } from '../../tables/table-rows.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { grouped } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'
import { ofFile, opened, type TableArguments } from './table-file.ts'
import { refusedInWords, rowProblemInWords } from './table-words.ts'

export interface SuppressOptions extends TableFile, SuppressReading, ReportReading {
  readonly dryRun?: boolean
  readonly json?: boolean
}

export interface SuppressStore {
  readonly standings: Pick<Standings, 'set' | 'unsubscribe'>
  readonly refusals: Refusals
}

const BATCH = 200

/** `suppress`: imports bounces and complaints from a provider's file or a mail server's report. */
export async function suppress(store: SuppressStore, options: SuppressOptions, out: Out) {
  const { head, whole } = await peek(options.file)
  const isReport = isMessage(head)
  const rows = isReport
    ? reportRows(readMessages(whole), options)
    : suppressRows({ ...options, file: whole }, options)
  const refused = await suppressAll(store, rows, options, out)
  // A mail server would return the message to its sender.
  return refused > 0 && !isReport ? exitCodes.partly : exitCodes.done
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

/** @returns how many were refused. */
async function suppressAll(
  store: SuppressStore,
  all: AsyncIterable<SuppressRow>,
  { dryRun, json }: SuppressOptions,
  out: Out,
): Promise<number> {
  const counts = { unsubscribed: 0, bounced: 0, complained: 0, full: 0, harmless: 0, refused: 0 }
  const begun = new Date()

  for await (const rows of batches(all, BATCH)) {
    const departed: HeardDeparture[] = []
    const refusals: HeardRefusal[] = []
    for (const row of rows)
      if (row.kind === 'problem') {
        counts.refused += 1
        await out.write(refusedInWords(row.place, rowProblemInWords(row.problem), json))
      } else if (row.kind === 'harmless') counts.harmless += 1
      else if (row.kind === 'departure') departed.push(row.heard)
      else if (row.kind === 'refusal') refusals.push(row.heard)
      else {
        if (!dryRun) await store.standings.unsubscribe(row.addressId)
        counts.unsubscribed += 1
      }
    if (!dryRun) await store.standings.set(departed)
    for (const { standing } of departed) counts[standing] += 1
    const are = dryRun
      ? refusals.map(({ refusal }) => refusal === 'gone')
      : await store.refusals.hear(refusals)
    for (const [i, { refusal }] of refusals.entries())
      counts[are[i] ? 'bounced' : refusal === 'full' ? 'full' : 'harmless'] += 1
  }

  const many = dryRun ? [] : await store.refusals.many(begun)
  if (json) await out.json({ ...counts, many })
  else {
    const { unsubscribed, bounced, complained, full, harmless, refused } = counts
    out.say(
      [
        `${grouped(bounced)} bounced, ${grouped(complained)} complained, ${grouped(unsubscribed)} unsubscribed:`,
        dryRun ? 'they would get no more letters.' : 'they get no more letters.',
        ...(full > 0
          ? [`${grouped(full)} full, which counts at the third report in two weeks.`]
          : []),
        `${grouped(harmless)} were temporary or harmless, ${grouped(refused)} refused.`,
        ...(dryRun ? ['Nothing was changed.'] : []),
      ].join(' '),
    )
    for (const one of many) out.say(`LOOK: ${manyRefusedInWords(one)}`)
  }
  return counts.refused
}

/** `suppress --undo`: takes a bounce back. */
export async function undoBounce(refusals: Pick<Refusals, 'lift'>, given: string, out: Out) {
  const email = readEmail(given)
  if (!(await refusals.lift(email))) throw new OperatorError(`${email} is not known as bounced.`)
  await out.write(`${email} gets letters again.\n`)
  return exitCodes.done
}

export async function fromCommandLine(
  { undo, ...options }: TableArguments & SuppressReading & Undoing,
  file: string | undefined,
): Promise<void> {
  if (file !== undefined && undo === undefined)
    return runWithStore(ofFile(file, options), (store, out, { linkKey }) =>
      suppress(store, { ...options, ...opened(file, options.format), linkKey }, out),
    )
  if (file !== undefined || undo === undefined)
    throw new Misuse('Name a file, or an address whose bounce is taken back.')
  await runWithStore({ looks: true }, (store, out) => undoBounce(store.refusals, undo, out))
}

interface Undoing {
  readonly undo?: string
  readonly json?: boolean
}
