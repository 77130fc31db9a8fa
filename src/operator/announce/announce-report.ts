import type { AnnounceEnd } from '../../announcement/announce.ts'
import type { Balance } from '../../announcement/balance.ts'
import type { LeavingOut } from '../../announcement/recipient-selection.ts'
import type { SendEnd } from '../../announcement/sending/send-end.ts'
import {
  type Delivery,
  type SuppressionCounts,
  suppressionReasons,
  type Tally,
} from '../../store/delivery-ledger.ts'
import type { Store } from '../../store/store.ts'
import { commandLine } from '../terminal/command-line.ts'
import { deliveryLine } from '../terminal/delivery-line.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { reasonInWords } from '../terminal/standing-words.ts'
import { columns, counted, grouped } from '../terminal/words.ts'

/** Number of rows that are shown on a terminal; a file gets all of them. */
const SHOWN = 50

export interface ReportOptions {
  readonly stopShare: number
  readonly json?: boolean
  readonly output?: string
  /** Whether those without the letter are listed; they are where it is not given. */
  readonly list?: boolean
  readonly leavesOut?: LeavingOut['leavesOut']
  /** What the letter does with people; `tells` where it is not given. */
  readonly verb?: 'tells' | 'asks'
  /** What else is said of a run to programs. */
  readonly more?: object
}

export type RunEnd = Exclude<AnnounceEnd, { why: 'locked' }>

/** Prints the balance of a run and the recipients without the letter. @returns the exit code. */
export async function reportEnd(store: Store, end: RunEnd, options: ReportOptions, out: Out) {
  const { announcement, balance } = end
  const { verb = 'tells', list = true } = options
  const suppressed = await store.suppressedAs(announcement.id)
  const newcomers = await countNewcomers(store, announcement.cutOff, options)
  if (options.json) {
    const { why, answer } = end
    const notSent = []
    if (list) for await (const row of unsent(store, announcement.id, false)) notSent.push(row)
    const report = {
      why,
      answer,
      announcement,
      ...balance,
      suppressed,
      newcomers,
      ...(list && { notSent }),
      ...options.more,
    }
    await out.write(`${JSON.stringify(report)}\n`)
  } else {
    await out.write(balanceSheet(end, suppressed, out))
    if (list) await listUnsent(store, end, options.output !== undefined, out)
  }
  out.say(inWords(end, options.stopShare))
  if (newcomers > 0)
    out.say(`${counted(newcomers, 'subscriber')} since then; --include-new ${verb} them too.`)
  if (suppressed.quarantined > 0)
    out.say(
      `${grouped(suppressed.quarantined)} left out as quarantined: ${commandLine('quarantine')} shows why. --include-new ${verb} those who are released.`,
    )
  return exitCodeOf(end)
}

async function countNewcomers(store: Store, since: Date, { leavesOut }: ReportOptions) {
  const newcomers = { since }
  if (!leavesOut) return store.countIn(newcomers)
  let count = 0
  for await (const subscriber of store.stream(newcomers)) if (!leavesOut(subscriber)) count += 1
  return count
}

const summands = ['sent', 'failed', 'uncertain', 'suppressed', 'forgotten', 'queued'] as const

function balanceSheet({ balance }: RunEnd, suppressed: SuppressionCounts, { style }: Out): string {
  const { eligible, tally, holds } = balance
  const lines = summands.flatMap((status) => [
    [`  ${status}`, grouped(tally[status])],
    ...(status === 'suppressed' ? reasonLines(suppressed) : []),
  ])
  const verdict = (holds ? style.green : style.red)(balanceInWords(balance).text)
  return `${columns([[style.bold('eligible'), grouped(eligible)], ...lines], [1])}\n${verdict}\n`
}

/** Whether everybody is accounted for, in a sentence. */
export function balanceInWords({ eligible, tally, holds }: Balance) {
  const sum = summands.map((status) => grouped(tally[status])).join(' + ')
  const text = holds
    ? `The balance holds: ${grouped(eligible)} = ${sum}`
    : `THE BALANCE DOES NOT HOLD: ${grouped(eligible)} eligible, but ${sum} accounted for and ${grouped(tally.sending)} still being sent. Keep everything as it is.`
  return { text, holds }
}

function reasonLines(suppressed: SuppressionCounts): string[][] {
  return suppressionReasons
    .filter((reason) => suppressed[reason] > 0)
    .map((reason) => [`    ${reasonInWords(reason)}`, grouped(suppressed[reason])])
}

/** Recipients who do not get it without an action of the operator; in a file, the queue as well. */
export async function* unsent(
  store: Store,
  id: string,
  withQueue: boolean,
): AsyncIterable<Delivery> {
  for (const status of ['failed', 'uncertain', 'suppressed', 'forgotten'] as const)
    yield* store.deliveries(id, status)
  if (withQueue) yield* store.deliveries(id, 'queued')
}

async function listUnsent(store: Store, end: RunEnd, isFile: boolean, out: Out): Promise<void> {
  const { rows, tally } = end.balance
  const count = rows - tally.sent
  const all = commandLine(`deliveries ${end.announcement.id} --not-sent`)
  if (count > 0 && count === tally.queued && !isFile)
    return out.write(`\nNot sent: ${grouped(count)}, all in the queue: ${all}\n`)
  if (count === 0) return
  await out.write('\nNot sent:\n')
  let shown = 0
  for await (const row of unsent(store, end.announcement.id, isFile)) {
    if (shown === SHOWN && !isFile) break
    shown += 1
    await out.write(deliveryLine(row, out))
  }
  if (count > shown)
    await out.write(
      `and ${grouped(count - shown)} more, ${grouped(tally.queued)} in the queue: ${all}\n`,
    )
}

function inWords({ why, answer, balance: { tally } }: RunEnd, stopShare: number): string {
  const { queued, failed, uncertain } = tally
  const next = [
    queued > 0 &&
      `${why === 'done' ? 'Without --first or --retry it' : 'The same command'} goes on with the ${grouped(queued)} in the queue.`,
    failed > 0 && '--retry failed tries the failed again.',
    uncertain > 0 && '--retry uncertain sends again to those who may have it already.',
  ]
  return [endInWords({ why, answer, tally }, stopShare), ...next.filter(Boolean)].join(' ')
}

/** Why a run ended, in a sentence. */
export function endInWords(
  {
    why,
    answer,
    tally: { queued },
  }: Pick<SendEnd, 'why' | 'answer'> & { readonly tally: Pick<Tally, 'queued'> },
  stopShare: number,
): string {
  const reasons = {
    done: queued > 0 ? 'This stage is done.' : 'Done.',
    interrupted: 'Stopped, with everything under way finished.',
    failing: `Stopped: more than ${stopShare * 100} % failed, last with "${answer}".`,
    unreachable: `Stopped: the mail server failed again and again, last with "${answer}".`,
    deferring: `Stopped: the mail server puts everybody off, last with "${answer}".`,
    unusable: `Stopped: the mail server does not let us send: "${answer}".`,
  }
  return reasons[why]
}

function exitCodeOf({ why, balance: { holds, tally } }: RunEnd): number {
  if (!holds) return exitCodes.failed
  if (why === 'interrupted') return exitCodes.stopped
  if (why !== 'done') return exitCodes.failed
  return tally.failed + tally.uncertain > 0 ? exitCodes.partly : exitCodes.done
}
