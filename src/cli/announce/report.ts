import type { LeavingOut } from '../../announcement/recipient-selection.ts'
import { type RunReport, reportOf, unsent } from '../../announcement/run/report.ts'
import type { RunEnd } from '../../announcement/tell-everyone.ts'
import { saysIn } from '../../mail/smtp-answers.ts'
import { commandLine } from '../../product/command-line.ts'
import { balanceInWords, endInWords, summands } from '../../shared/end-words.ts'
import { suppressionReasons } from '../../store/delivery-ledger.ts'
import type { DeliveryLedger, Store } from '../../store/store.ts'
import { deliveryLine } from '../../terminal/delivery-line.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { reasonInWords } from '../../terminal/standing-words.ts'
import { columns, counted, grouped, localTime } from '../../terminal/words.ts'

/** Number of rows that are shown on a terminal; a file gets all of them. */
const SHOWN = 50

export interface ReportOptions extends Pick<LeavingOut, 'alsoWhoGot' | 'leavesOut'> {
  readonly stopShare: number
  readonly json?: boolean
  readonly output?: string
  /** Whether those without the letter are listed; by default they are. */
  readonly list?: boolean
  /** Where one of these was given, the same command does not go on with the whole queue. */
  readonly first?: unknown
  readonly retry?: unknown
  /** What the letter does to people; by default `tells`. */
  readonly verb?: 'tells' | 'asks'
  /** More fields for programs. */
  readonly more?: object
}

/** Prints the balance of a run and the recipients without the letter. @returns the exit code. */
export async function reportEnd(store: Store, end: RunEnd, options: ReportOptions, out: Out) {
  const { verb = 'tells', list = true } = options
  const report = await reportOf(store, end, options)
  const { newcomers, suppressed } = report
  if (options.json) {
    const notSent = []
    if (list) for await (const row of unsent(store.ledger, end.announcement.id)) notSent.push(row)
    const all = { ...report, ...(list && { notSent }), ...options.more }
    await out.json(all)
  } else {
    await out.write(balanceSheet(report, out))
    if (list) await listUnsent(store.ledger, report, options.output !== undefined, out)
  }
  out.say(inWords(report, options))
  const due = report.why === 'deferring' && (await store.ledger.nextRetry(end.announcement.id))
  if (due) out.say(`The first of those put off is due ${localTime(due)}.`)
  if (newcomers > 0)
    out.say(
      `${counted(newcomers, 'new subscriber')} since this began; --include-new ${verb} them too.`,
    )
  if (suppressed.quarantined > 0)
    out.say(
      `${grouped(suppressed.quarantined)} left out as quarantined: ${commandLine('quarantine')} shows who still is, and why. --include-new ${verb} those released since.`,
    )
  return exitCodeOf(report)
}

function balanceSheet(report: RunReport, { style }: Out): string {
  const { eligible, tally, holds, suppressed } = report
  const reasons = suppressionReasons
    .filter((reason) => suppressed[reason] > 0)
    .map((reason) => [`    ${reasonInWords(reason)}`, grouped(suppressed[reason])])
  const lines = summands.flatMap((status) => [
    [`  ${status}`, grouped(tally[status])],
    ...(status === 'suppressed' ? reasons : []),
  ])
  const verdict = (holds ? style.green : style.red)(balanceInWords(report))
  return `${columns([[style.bold('people'), grouped(eligible)], ...lines], [1])}\n${verdict}\n`
}

async function listUnsent(
  ledger: DeliveryLedger,
  { rows, tally, announcement: { id } }: RunReport,
  isFile: boolean,
  out: Out,
): Promise<void> {
  const count = rows - tally.sent
  const all = commandLine(`deliveries ${id} --not-sent`)
  if (count > 0 && count === tally.queued && !isFile)
    return out.write(`\nNot sent: ${grouped(count)}, all in the queue: ${all}\n`)
  if (count === 0) return
  await out.write('\nNot sent:\n')
  let shown = 0
  for await (const row of unsent(ledger, id, isFile ? ['queued'] : [])) {
    if (shown === SHOWN && !isFile) break
    shown += 1
    await out.write(deliveryLine(row, out))
  }
  const more = count - shown
  const ofThem = tally.queued === more ? 'all' : grouped(tally.queued)
  const inQueue = tally.queued > 0 ? `, ${ofThem} in the queue` : ''
  if (more > 0) await out.write(`and ${grouped(more)} more${inQueue}: ${all}\n`)
}

function inWords(
  { why, answer, tally, announcement: { id } }: RunReport,
  { stopShare, first, retry }: ReportOptions,
): string {
  const { queued, failed, uncertain } = tally
  const isPart = why === 'done' || first !== undefined || retry !== undefined
  const next = [
    why === 'failing' && `To read why: ${commandLine(`deliveries ${id} --status failed`)}.`,
    why === 'leaving' && 'Look at what the letter says, and to whom.',
    (why === 'failing' || why === 'leaving') &&
      'To go on then, give the same command once with --go-on: what failed, and who left, counts anew.',
    queued > 0 &&
      `${isPart ? 'Without --first or --retry, the same command' : 'The same command'} goes on with the ${grouped(queued)} in the queue, and passes over those of them who have left.`,
    saysIn(answer) === 'quota' && 'With --rate 400/d it sends 400 a day, until everybody is told.',
    failed > 0 && '--retry failed tries the failed again.',
    uncertain > 0 && '--retry uncertain sends again to those who may have it already.',
  ]
  return [endInWords({ why, answer, queued }, stopShare), ...next.filter(Boolean)].join(' ')
}

function exitCodeOf({ why, holds, tally }: RunReport): number {
  if (!holds) return exitCodes.failed
  if (why === 'interrupted') return exitCodes.stopped
  if (why !== 'done') return exitCodes.failed
  return tally.failed + tally.uncertain > 0 ? exitCodes.partly : exitCodes.done
}
