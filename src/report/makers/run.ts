import { type Balance, balanceOf, endedOf } from '../../announcement/balance.ts'
import type { Refusal } from '../../announcement/refusal.ts'
import { isKept, paceInWords, parseRate } from '../../announcement/sending/rate.ts'
import type { EndCode } from '../../announcement/sending/send-end.ts'
import { parseShare, USUAL_STOP_SHARE } from '../../announcement/sending/sending-numbers.ts'
import { counted, grouped, localized } from '../../shared/counted.ts'
import { duration } from '../../shared/duration.ts'
import { type LetterStage, letterStages } from '../../shared/letter-stages.ts'
import { localTime } from '../../shared/local-time.ts'
import { orUndefined } from '../../shared/or-undefined.ts'
import type { Act, Acts, Figure, Note, Report, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import {
  type Announcement,
  type Delivery,
  type SuppressionCounts,
  suppressionReasons,
  type Tally,
} from '../../store/delivery-ledger.ts'
import { machineOf, type Run } from '../../store/run.ts'
import type { RunNotes, Sending } from '../../store/run-notes.ts'
import { answerInWords, reasonInWords, reasonWords } from '../../terminal/standing-words.ts'
import { findingNote, HELD, heldNote, type LetterSeen } from './finding.ts'
import { actForRefusal, refusalInWords } from './refusal.ts'

/** How far an announcement is, while it is sent and after it. */
export interface HowFar {
  readonly announcement: Announcement | undefined
  readonly tally: Tally
  readonly suppressed: SuppressionCounts
  /** Its last run; a list from a copy has none. */
  readonly run: Pick<Run, 'notes' | 'host' | 'pid'> | undefined
  readonly isRunning: boolean
  /** From the rows themselves; left out, from the tally. */
  readonly balance?: Balance
}

/** What is looked up besides. */
export interface Beside {
  readonly seen: LetterSeen
  readonly now: number
  /** Those without the letter who get it only by an action, or the first of them. */
  readonly unsent: readonly Pick<Delivery, 'email' | 'status' | 'answer' | 'standing'>[]
  /** How many signed up since it began. */
  readonly newcomers: number
  /** When the first of those put off is tried again. */
  readonly dueAt?: Date | undefined
}

/** How far an announcement is, how its last run ended, and who has not got it. */
export function reportOfRun(far: HowFar, beside: Beside): Report {
  return {
    title: say('The announcement'),
    parts: [
      { part: 'figures', figures: [...runFigures(far, beside.now), ...peopleFigures(far)] },
      { part: 'notes', notes: notesOf(far, beside) },
      leftOutTable(far),
      unsentTable(beside),
    ],
  }
}

function peopleFigures({ announcement, tally, isRunning, run }: HowFar): Figure[] {
  const { eligible, id, subject, begunAt } = announcement ?? {}
  const { sent, failed, uncertain, suppressed, forgotten, queued } = tally
  const isTold = eligible !== undefined && queued === 0 && !isRunning
  const told: Figure = {
    ...{ name: 'sent', label: say('Sent'), value: sent, isLead: !runs(isRunning, run) },
    // Until its turn, nobody knows whether somebody in the queue has left.
    ...(isTold
      ? { of: { all: Math.max(0, eligible - suppressed - forgotten), what: say('people') } }
      : { remark: say('so far') }),
    data: { eligible, announcement: { id, subject, begunAt } },
  }
  return [
    ...(announcement ? [told] : []),
    { name: 'failed', label: say('Failed'), value: failed },
    {
      name: 'uncertain',
      label: say('Uncertain'),
      value: uncertain,
      remark: say('they may have it'),
    },
    { name: 'suppressed', label: say('Left out'), value: suppressed },
    { name: 'forgotten', label: say('Forgotten'), value: forgotten },
    { name: 'queued', label: say('In the queue'), value: queued },
  ]
}

const runs = (isRunning: boolean, run: HowFar['run']) => isRunning && run?.notes.sending

/** Of the run that sends it now: how far, how fast, and how long it takes. */
function runFigures({ isRunning, run, tally }: HowFar, now: number): Figure[] {
  const sending = runs(isRunning, run)
  if (!sending) return []
  const { people, done, again, perSecond = null, secondsLeft = 0 } = speedOf(sending, tally, now)
  const left = secondsLeft > 0 && {
    remark: say('{secondsLeft} left at this speed', { secondsLeft: duration(secondsLeft) }),
  }
  return [
    {
      ...{ name: 'done', label: say('This run'), value: done, isLead: true },
      of: { all: people, what: say('people') },
      ...(again > 0 && { remark: say('{again} to be tried again', { again: grouped(again) }) }),
    },
    { name: 'perSecond', label: say('Letters a second'), value: perSecond, ...left },
  ]
}

/** How many of the queued were tried before. */
export const againIn = ({ queued, untried }: Tally) => queued - untried

function speedOf({ since, people: meant, before }: Sending, tally: Tally, now: number) {
  const done = Math.max(0, endedOf(tally) - before)
  const people = Math.max(meant, done)
  const again = againIn(tally)
  const seconds = (now - since.getTime()) / 1000
  if (done === 0 || seconds <= 0) return { people, done, again }
  const perSecond = done / seconds
  // When the mail server takes those that are tried again is not known.
  const secondsLeft = (people - done - again) / perSecond
  const digits = perSecond < 10 ? 1 : 0
  return { people, done, again, perSecond: Number(perSecond.toFixed(digits)), secondsLeft }
}

function notesOf(far: HowFar, { seen, now, newcomers, dueAt }: Beside): Note[] {
  const { announcement, tally, suppressed, run, isRunning } = far
  const { failed, uncertain, forgotten } = tally
  const without = failed + uncertain + tally.suppressed + forgotten
  const notes: (Note | false | undefined)[] = [
    ...(isRunning ? whileRunning(far, now) : [...endNotes(far, seen), ...balanceNote(far)]),
    ...(run?.notes.found ?? []).map((one) => orUndefined(() => findingNote(one, seen))),
    dueAt && {
      code: 'due',
      text: say('The first of those put off is due {dueAt}.', { dueAt: localTime(dueAt) }),
    },
    announcement &&
      newcomers > 0 && {
        code: 'newcomers',
        text: say('{newcomers} since this began.', {
          newcomers: counted(newcomers, 'new subscriber'),
        }),
        act: {
          ...{ code: 'check', words: say('To send it to them too') },
          command: '<command> --include-new',
        },
      },
    suppressed.quarantined > 0 &&
      findingNote({
        ...{ code: 'left-out', verdict: 'note', about: 'quarantined' },
        people: suppressed.quarantined,
      }),
    without > 0 && {
      code: 'not-sent',
      text: say('{without} without the letter.', { without: counted(without, 'person', 'people') }),
      act: {
        ...{ code: 'not-sent', words: say('All of them') },
        command: `deliveries ${announcement?.id} --not-sent`,
      },
    },
  ]
  return notes
    .filter((note) => note !== false && note !== undefined)
    .map((note) => (note.act ? { ...note, data: { ...seen, ...note.data } } : note))
}

/** The rate of an hour or a day, and who sends it where that is not the desk. */
function whileRunning({ run, tally }: HowFar, now: number): Note[] {
  const rate = parseRate(run?.notes.rate ?? '')
  return [
    ...(rate && isKept(rate)
      ? [{ code: 'pace', text: `${paceInWords(rate, tally.queued, new Date(now))}.` }]
      : []),
    ...(run && !run.notes.isFromDesk
      ? [
          {
            code: 'elsewhere',
            text: say('A command on {machine}, process {pid}, is sending it, not the desk.', {
              machine: machineOf(run),
              pid: run.pid,
            }),
          },
        ]
      : []),
  ]
}

/** The statuses whose counts add up to the eligible, as the balance says them. */
const summands = {
  sent: 'sent',
  failed: 'failed',
  uncertain: 'uncertain',
  suppressed: 'left out',
  forgotten: 'forgotten',
  queued: 'queued',
} as const

/** Whether all recipients are accounted for. */
function balanceNote({ announcement, tally, balance }: HowFar): Note[] {
  if (announcement?.eligible === undefined) return []
  const { eligible, holds } = balance ?? balanceOf({ ...announcement, tally })
  const parts = Object.entries(summands)
    .map(([status, words]) => ({ people: tally[status as keyof typeof summands], words }))
    .filter(({ people }) => people > 0)
  const total = parts.reduce((all, { people }) => all + people, 0)
  const sum =
    parts.map(({ people, words }) => `${grouped(people)} ${say(words)}`).join(' + ') || '0'
  const text = holds
    ? say('The balance holds: {eligible} = {sum}', { eligible: grouped(eligible), sum })
    : say(
        'THE BALANCE DOES NOT HOLD: {eligible} people, but {sum} make {total}, and {sending} more are being sent. Change nothing, and copy DATA_DIR.',
        {
          eligible: grouped(eligible),
          sum,
          total: grouped(total),
          sending: grouped(tally.sending),
        },
      )
  return [{ code: 'balance', text, data: { holds }, ...(!holds && { weight: 'bad' }) }]
}

/** How its last run ended: by its own words, or by their absence. */
function endNotes(far: HowFar, seen: LetterSeen): Note[] {
  if (!far.run) return []
  const { end, found = [] } = far.run.notes
  const why = end?.why
  if (why === 'problem' || why === 'fatal') return heldNote(found, why, seen)
  const { queued, failed } = far.tally
  const isWell = why === 'done' || why === 'interrupted'
  // Who failed in a stage may be tried again in the next.
  const isWhole = why === 'done' && (queued > 0 || failed === 0)
  const act = end?.refusal
    ? orUndefined(() => actForRefusal(end.refusal as Refusal))
    : why !== undefined && Object.hasOwn(after, why)
      ? after[why as EndCode]?.()
      : undefined
  return [
    {
      ...{ code: why ?? 'interrupted', text: endInWords(far.run.notes, far) },
      ...(!isWhole && { weight: isWell ? 'look' : 'bad' }),
      ...(act && { act }),
    },
  ]
}

const goOn = (): Act => ({
  ...{ code: 'go-on', words: say('To go on, counting anew what failed and who left') },
  command: '<command> --go-on',
})

/** What helps after a run that stopped by itself. */
const after: { readonly [Why in EndCode]?: () => Act } = {
  failing: goOn,
  leaving: goOn,
  unusable: () => ({
    ...{ code: 'how-it-is-sent', words: say('To send so many a day until everybody is told') },
    command: '<command> --rate 400/d',
  }),
}

/** Why a run ended, in a sentence. Its notes may be of another version, or of a hostile hand. */
export function endInWords(
  { end, stopShare = USUAL_SHARE }: RunNotes,
  { announcement, tally: { queued, uncertain } }: Pick<HowFar, 'announcement' | 'tally'>,
): string {
  if (!end || end.why === 'ended') return interrupted(announcement, queued, uncertain)
  const { why, answer, refusal } = end
  if (refusal) return orUndefined(() => refusalInWords(refusal as Refusal)) ?? say(UNSAID)
  const last = answer && say(', last with "{answer}"', { answer })
  const reasons: Readonly<Record<EndCode | 'not-begun' | 'problem' | 'fatal', string>> = {
    done: queued > 0 ? say('This stage is done.') : say('Done.'),
    interrupted: say('Stopped, with everything under way finished.'),
    failing: say('Stopped: more than {share} % of {what}.', {
      share: localized(String(Number((stopShare * 100).toFixed(2)))),
      what: answer
        ? say('this run failed{last}', { last })
        : say('the last letters failed or bounced'),
    }),
    leaving: say(
      'Stopped: more than 0.3 % of the last people who were told have unsubscribed or complained. Look at what the letter says, and to whom.',
    ),
    problem: say(HELD),
    fatal: say(HELD),
    unready: say('Stopped: the check of each hour found a problem.'),
    unreachable: say('Stopped: the mail server failed again and again{last}.', { last }),
    deferring: say('Stopped: the mail server puts off those who are left{last}.', { last }),
    unusable: say(
      'Stopped: the mail server does not let us send: "{answer}". If that is a limit, go on when it is over: most count the last 24 hours, some the last hour.',
      { answer },
    ),
    'not-begun': say(
      'The last run did not begin. What it said is in the file of that name beside the letter, which ends in .log.',
    ),
  }
  return Object.hasOwn(reasons, why) ? reasons[why as EndCode] : answer || say(UNSAID)
}

const USUAL_SHARE = parseShare(USUAL_STOP_SHARE) ?? 0

const UNSAID = 'The last run did not say why it ended.'

function interrupted(announcement: Announcement | undefined, queued: number, uncertain: number) {
  if (!announcement) return say('The last run was interrupted before it sent anything.')
  if (queued > 0 || announcement.eligible === undefined)
    return say('The last run was interrupted. It can go on where it ended: nobody gets it twice.')
  const perhaps =
    uncertain > 0
      ? say('; {uncertain} may have the letter or not', {
          uncertain: counted(uncertain, 'person', 'people'),
        })
      : ''
  return say('The last run was interrupted. Nobody is left to be told{perhaps}.', { perhaps })
}

/** The stages that somebody is left for. */
export function stagesLeft({ queued, failed, uncertain }: Tally, { command }: LetterSeen): Acts {
  const left = Object.entries({ everyone: queued, failed, uncertain } as const)
  const stages = left.flatMap(([stage, people]) => (people > 0 ? [stage as LetterStage] : []))
  return {
    ...{ part: 'acts', title: say('What is next') },
    acts: stages.map((code) => {
      const { title, hint, options } = letterStages[code]
      const words = say(code === 'everyone' ? 'Everyone else' : title)
      return { code, words, command: [command, ...options].join(' '), remark: say(hint) }
    }),
  }
}

const leftOutTable = ({ suppressed }: HowFar): Table => ({
  part: 'table',
  name: 'leftOut',
  title: say('Left out'),
  columns: [
    { name: 'why', kind: 'text', words: reasonWords },
    { name: 'people', head: say('People') },
  ],
  rows: suppressionReasons
    .filter((why) => suppressed[why] > 0)
    .map((why) => ({ why, people: suppressed[why] })),
  most: suppressionReasons.length,
})

const unsentTable = ({ unsent }: Beside): Table => ({
  part: 'table',
  name: 'notSent',
  title: say('Without the letter'),
  columns: [
    { name: 'email', kind: 'email', without: say('(forgotten)') },
    { name: 'status', head: say('Status'), kind: 'standing' },
    { name: 'answer', head: say('Why'), kind: 'text' },
  ],
  rows: unsent.map(({ email, status, standing, answer }) => ({
    email: email ?? null,
    status: status === 'sending' ? 'uncertain' : status,
    // The mail server's answer to an earlier try is not the reason.
    answer: standing ? reasonInWords(standing) : answerInWords(answer ?? ''),
  })),
  most: unsent.length,
})
