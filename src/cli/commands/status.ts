import { lastAnnouncement, type Progress } from '../../announcement/last-announcement.ts'
import { isInterrupted, isRunning, stoppedInWords } from '../../announcement/run/dead-run.ts'
import { type AnswerCounts, answerCounter, countAnswers } from '../../audience/answers.ts'
import { signUpsIn, startsOf } from '../../audience/growth.ts'
import { heardNothing } from '../../audience/heard-nothing.ts'
import type { ReferralCounts } from '../../audience/read-referrals.ts'
import { countedSignUps, trafficOf } from '../../audience/traffic.ts'
import { cameInBrief } from '../../audience/who-came.ts'
import { type InboxFigures, inboxAlarms, inboxFigures } from '../../collect/inbox-figures.ts'
import type { ListRetention } from '../../opening/list-retention.ts'
import { listRetention } from '../../opening/list-retention.ts'
import { commandLine } from '../../product/command-line.ts'
import product from '../../product/product.ts'
import { answersFigure, answersTable } from '../../report/makers/answers.ts'
import { cameFigure } from '../../report/makers/came.ts'
import { referralFigures } from '../../report/makers/referrals.ts'
import { figureRow, partInText } from '../../report/terminal.ts'
import { commands } from '../../shared/commands.ts'
import { damageInWords } from '../../shared/damage.ts'
import { silenceInWords } from '../../shared/heard-nothing.ts'
import { manyRefusedInWords } from '../../shared/many-refused.ts'
import type { Figure } from '../../shared/report.ts'
import { shellWord } from '../../shared/shell-word.ts'
import { backupState } from '../../store/backup-state.ts'
import type { BackupRecord } from '../../store/backups.ts'
import type { Run } from '../../store/run-lock.ts'
import type { Store, SubscriberList } from '../../store/store.ts'
import { chart } from '../../terminal/chart.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { goneInWords } from '../../terminal/standing-words.ts'
import { plain } from '../../terminal/style.ts'
import { columns, counted, grouped, localTime } from '../../terminal/words.ts'
import { runWithStore, setting } from '../run.ts'
import { backupAlarms, holdInWords } from '../words/back-ups.ts'
import { confirmationCounts, confirmationsInWords } from './confirmation-counts.ts'
import { type Crowd, crowdWatch, isOf } from './crowding.ts'
import { openingAsJson, openingInWords } from './open.ts'
import { heldLines } from './outbox.ts'
import { moreInWords } from './quarantined.ts'
import { referralCounts } from './referrals.ts'
import { sourcesInWords, visitsInWords } from './traffic-words.ts'

export interface StatusOptions {
  readonly json?: boolean
  readonly name: string
  /** `retain` of the product. */
  readonly retain?: string | undefined
  /** Who referred whom; left out where nobody has a personal link. */
  readonly referrals?: ReferralCounts | undefined
  /** To the question of the page; left out where it asks nothing. */
  readonly answers?: AnswerCounts | undefined
  /** When the last backup was made. */
  readonly lastBackup: Date | null
  /** The state of the copies by a rule, and of their rehearsals. */
  readonly backups?: BackupRecord | undefined
  /** Of a list that takes in from Firestore. */
  readonly inbox?: InboxFigures | undefined
}

const DAYS = 30
const WEEK = 7
const DAY_MS = 86_400_000
/** How many answers are shown. */
const MOST_ANSWERS = 5

/** `status`: growth of the list, and the state of the last announcement. */
export async function status(store: Store, options: StatusOptions, out: Out) {
  const found = await look(store, options, new Date())
  if (options.json) await out.json(asJson(found))
  else await out.write(`${inWords(found, out).join('\n\n')}\n`)
  return exitCodes.done
}

type Found = Awaited<ReturnType<typeof look>>

async function look(store: Store, options: StatusOptions, now: Date) {
  const days = startsOf('day', now, DAYS)
  const weekAgo = days.at(-WEEK) ?? now
  const { standings, imported, quarters } = await store.growth.since(days[0] ?? now)
  const byDay = signUpsIn(quarters, days)
  const { backups } = options
  const last = await lastAnnouncement(store)
  return {
    ...options,
    ...{ now, days, weekAgo, standings, imported, byDay, last },
    crowds: await crowdsSince(store.list, weekAgo),
    traffic: await trafficOf(store.visits, days),
    silence: await heardNothing(store, now),
    users: last ? await cameInBrief(store) : undefined,
    asked: await confirmationCounts(store),
    heldLetters: await store.requests.heldLetters(),
    opening: await store.opening.get(),
    today: byDay.at(-1) ?? 0,
    week: byDay.slice(-WEEK).reduce((sum, count) => sum + count, 0),
    hold: await store.hold.get(),
    retention: await listRetention(store, options.retain, now),
    many: await store.refusals.many(weekAgo),
    damage: await store.counts.last(),
    alarms: backups ? backupAlarms(backups, now) : [],
  }
}

function asJson(found: Found) {
  const { standings, days, byDay, traffic, users, answers, backups, inbox, last, many } = found
  const { retention, hold, asked, referrals } = found
  // Of the forgotten there is no row to count.
  const { forgotten: _, ...counts } = standings
  return {
    subscribers: standings.subscribed,
    standings: counts,
    imported: found.imported,
    today: found.today,
    week: found.week,
    days: days.map((day, i) => ({
      day: localTime(day).slice(0, 10),
      signUps: byDay[i],
      visits: traffic.days[i],
    })),
    visits: { today: traffic.today, days: traffic.whole, sources: traffic.sources },
    ...(inbox && { inbox }),
    lastBackup: found.lastBackup,
    ...(backups && {
      lastRehearsal: backups.rehearsal ?? null,
      lastGoodRehearsal: backups.goodRehearsal ?? null,
      backupAlarms: found.alarms,
    }),
    heardNothing: found.silence,
    announcement: last ? { ...last, suppressed: undefined, run: runAsJson(last.run) } : null,
    ...(users && { came: users }),
    opening: openingAsJson(found.opening, found.now),
    ...(retention && { retention }),
    crowds: found.crowds,
    ...(many.length > 0 && { refusedMany: many }),
    ...(found.damage && { counted: found.damage }),
    ...(hold && { hold }),
    ...(asked && { asked }),
    ...(referrals && { referrals }),
    ...(answers && {
      answers: {
        people: answers.people,
        answered: answers.answered,
        answers: answers.answers.slice(0, MOST_ANSWERS),
      },
    }),
    heldLetters: found.heldLetters,
  }
}

/** The parts of what a person reads. */
function inWords(found: Found, out: Out): string[] {
  const { days, byDay, traffic, asked, referrals, answers, silence, crowds } = found
  const { bold, dim, red, yellow } = out.style
  const since = silence.since && localTime(new Date(silence.since)).slice(0, 10)
  const waits = heldLines(found.heldLetters, out)
  const from = localTime(days[0] ?? found.now).slice(0, 10)
  const signUpsFrom = (from: number) => countedSignUps(traffic.days.slice(from), byDay.slice(from))
  const sources = sourcesInWords(traffic, [signUpsFrom(0), signUpsFrom(-1)])
  const reds = toLookAt(found)
  return [
    bold(found.name),
    columns(people(found, bold), [1]),
    ...(asked ? [columns(confirmationsInWords(asked))] : []),
    ...(referrals ? [partInText(referralFigures(referrals), out)] : []),
    ...(answers?.answered ? [partInText(mostGiven(answers), out)] : []),
    columns(visitsInWords(traffic, byDay)),
    ...(sources.length > 0 ? [columns(sources, [1, 2, 3, 4, 5])] : []),
    `${dim(`Sign-ups a day, last ${DAYS} days`)}\n${chart(byDay, [from, 'today'])}`,
    columns(remarks(found)),
    ...(waits.length > 0 ? [waits.join('\n')] : []),
    ...(reds.length > 0 ? [reds.map((line) => red(line)).join('\n')] : []),
    ...(since
      ? [
          yellow(
            `${silenceInWords(silence.people)}, the longest since ${since}. To ask whether they still want to be told: ${commandLine(commands.askTheSilent)}`,
          ),
        ]
      : []),
    ...(crowds.length > 0
      ? [crowds.map((crowd) => yellow(alarm(crowd, found.weekAgo))).join('\n')]
      : []),
  ]
}

function people(
  { standings, asked, imported, today, week }: Found,
  bold: (text: string) => string,
) {
  const all = Object.values(standings).reduce((sum, count) => sum + count)
  // The quarantined are not gone, nor those who took their yes back.
  const gone = all - standings.subscribed - standings.quarantined - standings.pending
  const toConfirm = asked?.withSigns ?? 0
  const isAnyHeld = standings.quarantined + toConfirm > 0
  return [
    ['Subscribers', bold(grouped(standings.subscribed))],
    ...(standings.pending > 0
      ? [
          [
            'Not them',
            grouped(standings.pending),
            'said that it was not them: on the list, and not mailed',
          ],
        ]
      : []),
    ...(gone > 0
      ? [['Gone', grouped(gone), goneInWords({ ...standings, quarantined: 0, pending: 0 })]]
      : []),
    ...(isAnyHeld ? [['Quarantined', grouped(standings.quarantined), held(toConfirm)]] : []),
    ...(imported > 0
      ? [
          [
            'Imported',
            grouped(imported),
            'only by an import, including those who left since; not in the figures by day below',
          ],
        ]
      : []),
    ['Today', grouped(today)],
    ['Last 7 days', grouped(week)],
  ]
}

function remarks({ lastBackup, backups, last, users, opening, answers, retention, now }: Found) {
  return [
    ['Last back-up', lastBackup ? ago(lastBackup, now) : 'never'],
    ...(backups ? [['Rehearsed', tried(backups, now)]] : []),
    ['Announcement', last ? progress(last) : 'none yet'],
    ...(users && users.came > 0 ? [figureLine(cameFigure(users), 'came')] : []),
    ['Page', openingInWords(opening, now)],
    ...(answers ? [figureLine(answersFigure(answers), 'answers')] : []),
    ...(retention
      ? [['Keep until', `${localTime(retention.until).slice(0, 10)}: then erase the list yourself`]]
      : []),
  ]
}

function mostGiven(counts: AnswerCounts) {
  const table = answersTable(counts)
  return { ...table, rows: table.rows.slice(0, MOST_ANSWERS) }
}

function figureLine(figure: Figure, command: string): string[] {
  const act = { code: command, words: '', command }
  const [label, value, beside] = figureRow({ ...figure, act }, { style: plain })
  return [label, `${value} ${beside}`]
}

const toLookAt = ({ hold, alarms, inbox, retention, many, damage }: Found): string[] => [
  ...(hold ? [holdInWords(hold)] : []),
  ...alarms,
  ...(inbox ? inboxAlarms(inbox).map((line) => `LOOK: ${line}`) : []),
  ...(retention && retention.people > 0 ? [overdueInWords(retention)] : []),
  ...(damage ? damageInWords(damage).map((line) => `LOOK: ${line}`) : []),
  ...many.map((one) => `LOOK: ${manyRefusedInWords(one)}`),
]

function overdueInWords({ people, until }: ListRetention): string {
  return `LOOK: the list was to be erased on ${localTime(until).slice(0, 10)}, as retain in product.config.ts says, and has ${counted(people, 'person', 'people')}. To erase them: ${commandLine(commands.forgetEverybody)}`
}

/** Looks for floods since a time: among those who would be mailed, as `list` shows them. */
async function crowdsSince(list: Pick<SubscriberList, 'signedUpSince'>, time: Date) {
  const watch = crowdWatch()
  for await (const email of list.signedUpSince(time)) watch.see(email)
  const found = watch.crowds()
  // What was found is a lower bound where there are many names, so a second look counts it.
  if (found.length === 0) return []
  const counts = found.map(() => 0)
  for await (const email of list.signedUpSince(time))
    for (const [i, crowd] of found.entries())
      if (isOf(crowd, email)) counts[i] = (counts[i] ?? 0) + 1
  return found.map((crowd, i) => ({ ...crowd, count: counts[i] ?? 0 }))
}

function held(toConfirm: number): string {
  return `for signs of a robot${moreInWords(toConfirm, ';')}: ${commandLine('quarantine')}`
}

/** A warning for each suspicious group, with the command that shows it. */
function alarm({ kind, name, count }: Crowd, since: Date): string {
  const which =
    kind === 'domain' ? `--matching ${shellWord(`*@${name}`)}` : `--mailbox ${shellWord(name)}`
  const what = kind === 'domain' ? `have addresses at ${name}` : `lead to one mailbox, ${name}`
  const day = localTime(since).slice(0, 10)
  const look = commandLine(`list --since ${day} ${which}`)
  const people = 'Robots may have typed these addresses, and some may be real.'
  return `LOOK: ${grouped(count)} sign-ups of the last 7 days ${what}. ${people} To see them: ${look}`
}

const INTERRUPTED = 'interrupted: the same command goes on'

const runAsJson = (run: Run | undefined) =>
  run
    ? {
        state: isRunning(run) ? 'running' : isInterrupted(run) ? 'interrupted' : 'ended',
        rate: run.notes.rate,
        why: run.notes.end?.why,
      }
    : null

function progress({ id, begunAt, eligible, tally, run }: Progress): string {
  const { untried: _, ...statuses } = tally
  const counts = Object.entries(statuses).filter(([, count]) => count > 0)
  // Until its turn, nobody knows whether somebody in the queue has left.
  const named = (name: string) =>
    name === 'queued' ? 'in the queue (those who left get nothing)' : name
  const words = counts.map(([name, count]) => `${grouped(count)} ${named(name)}`).join(', ')
  const isOpen = eligible === undefined || tally.queued + tally.sending > 0
  const stopped = isOpen && (isInterrupted(run) ? INTERRUPTED : stoppedInWords(run))
  return `${id}, begun ${localTime(begunAt)}: ${words || 'nobody yet'}${stopped ? `; ${stopped}` : ''}`
}

function tried({ rehearsal, goodRehearsal }: BackupRecord, now: Date): string {
  if (!rehearsal) return 'never: no copy was restored as a test'
  if (rehearsal.fault !== undefined) return `${ago(rehearsal.at, now)}: FAILED`
  return goodRehearsal ? `${ago(goodRehearsal.at, now)}: everything came back as it was` : 'never'
}

function ago(time: Date, now: Date): string {
  const days = Math.floor((now.getTime() - time.getTime()) / DAY_MS)
  if (days < 0) return `${localTime(time)}, by a clock that was ahead`
  const words = days === 0 ? 'less than a day ago' : days === 1 ? 'a day ago' : `${days} days ago`
  return `${localTime(time)}, ${words}`
}

export const fromCommandLine = (options: { readonly json?: boolean }) =>
  runWithStore({ looks: true }, async (store, out, { backups, linkKey, collecting }) => {
    const counter = product.question && answerCounter()
    const referrals = setting('REFERRALS') && (await referralCounts(store, linkKey, counter?.see))
    const state = await backupState(backups, new Date())
    const given = {
      ...options,
      name: product.name,
      retain: product.retain,
      ...(referrals && { referrals }),
      // The list was read for the friends already.
      ...(counter && { answers: referrals ? counter.counts() : await countAnswers(store.list) }),
      inbox: await inboxFigures(collecting, backups, new Date()),
      lastBackup: state.last,
      backups: state,
    }
    return status(store, given, out)
  })
