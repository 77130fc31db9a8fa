import { describe, expect, it } from 'vitest'
import { endedOf } from '../../../../src/announcement/balance.ts'
import { newHolder } from '../../../../src/announcement/run/dead-run.ts'
import { goesOnWith, mostIn } from '../../../../src/desk/contract/letters.ts'
import {
  problemsOf,
  progressOf,
  type Standing,
  stateOf,
} from '../../../../src/desk/server/letters/standing.ts'
import type { Found } from '../../../../src/shared/found.ts'
import { noSuppressions, noTally } from '../../../../src/store/delivery-ledger.ts'
import type { Run } from '../../../../src/store/run-lock.ts'
import type { RunNotes } from '../../../../src/store/run-notes.ts'

const begunAt = Date.parse('2026-11-22T09:00:00.000Z')
const sending = { since: new Date(begunAt), people: 40, before: 10 }
/** A run of the desk, as it is while it sends. */
const runOf = (notes: RunNotes = {}, isHeld = true): Run => ({
  ...newHolder(),
  number: 1,
  isHeld,
  notes: { stage: 'everyone', isFromDesk: true, next: 'send', sending, ...notes },
})
const ended = (why: string, notes: RunNotes = {}, answer = '') =>
  runOf({ ...notes, end: { why, answer } }, false)
const announcement = {
  id: 'launch',
  subject: 'We are live',
  digest: 'one',
  eligible: 50,
  begunAt: new Date(begunAt),
  upTo: 3,
  tally: noTally(),
  suppressed: noSuppressions(),
}
const still: Standing = {
  announcement,
  tally: noTally(),
  suppressed: noSuppressions(),
  run: undefined,
  isRunning: false,
}
const of = (more: Partial<Standing>): Standing => ({ ...still, ...more })
const tally = (more: Partial<Standing['tally']>) => ({ ...noTally(), ...more })
const uncounted = { ...announcement, eligible: undefined }
const running = { run: runOf(), isRunning: true }

describe('the state of a letter', () => {
  it('is that of the run which sends it, from its first moment to its stop', () => {
    const checking = { run: runOf({ next: 'check' }), isRunning: true }
    expect(stateOf(of({ ...checking, announcement: undefined }))).toBe('starting')
    expect(stateOf(of({ ...checking, run: runOf({ next: 'begin' }) }))).toBe('starting')
    // Also where an earlier run has counted everybody.
    expect(stateOf(of(checking))).toBe('starting')
    expect(stateOf(of({ ...running, announcement: uncounted }))).toBe('starting')
    expect(stateOf(of(running))).toBe('sending')
    expect(stateOf(of({ run: runOf({ next: 'stop' }), isRunning: true }))).toBe('stopping')
  })

  it('is told when nobody waits, else how the last run ended', () => {
    const queued = tally({ queued: 1 })
    expect(stateOf(of({ announcement: undefined }))).toBe('unsent')
    expect(stateOf(of({ tally: tally({ sent: 50 }) }))).toBe('told')
    expect(stateOf(of({ announcement: uncounted }))).toBe('stopped')
    // A list from a copy has no runs.
    expect(stateOf(of({ tally: tally({ failed: 1, queued: 1 }) }))).toBe('partly')
    expect(stateOf(of({ tally: queued, run: ended('done') }))).toBe('partly')
    for (const why of ['interrupted', 'failing', 'problem', 'of another version'])
      expect(stateOf(of({ tally: queued, run: ended(why) })), why).toBe('stopped')
  })

  it('is interrupted where the run has no end of its own, while somebody is to be told', () => {
    const queued = tally({ queued: 1 })
    const gone = runOf({}, false)
    expect(stateOf(of({ tally: queued, run: gone }))).toBe('interrupted')
    expect(stateOf(of({ announcement: uncounted, run: gone }))).toBe('interrupted')
    // As with the machine.
    expect(stateOf(of({ tally: queued, run: ended('ended') }))).toBe('interrupted')
    // The process of that number began at another time: it is another one.
    const reused = { ...runOf(), owner: 'x@1' }
    expect(stateOf(of({ tally: queued, run: reused }))).toBe('interrupted')
    expect(stateOf(of({ tally: tally({ uncertain: 1 }), run: gone }))).toBe('told')
    expect(stateOf(of({ announcement: undefined, run: gone }))).toBe('unsent')
  })
})

describe('the progress of a letter', () => {
  it('has those who ended, whether well or not', () => {
    expect(endedOf(tally({ sent: 5, failed: 3, uncertain: 2, queued: 7, suppressed: 4 }))).toBe(10)
  })

  it('says of a run how far and how fast it is, and when it will be done', () => {
    const counts = tally({ sent: 28, failed: 2, queued: 20, untried: 20 })
    const seen = of({ ...running, tally: counts })
    expect(progressOf(seen, begunAt + 10_000)).toMatchObject({
      at: begunAt + 10_000,
      state: 'sending',
      eligible: 50,
      tally: { sent: 28, failed: 2, queued: 20 },
      run: { people: 40, done: 20 },
      perSecond: 2,
      secondsLeft: 10,
      found: [],
    })
    for (const field of ['by', 'balance', 'end', 'endedWell', 'pace', 'goesOn'])
      expect(progressOf(seen, begunAt + 10_000)).not.toHaveProperty(field)
    expect(progressOf(seen).tally).not.toHaveProperty('untried')
    // A moment after its begin, nobody knows how fast it is.
    for (const [now, sent] of [
      [begunAt, 12],
      [begunAt + 1000, 10],
      [begunAt + 1000, 3],
    ] as const) {
      const early = progressOf(of({ ...running, tally: tally({ sent }) }), now)
      expect(early.run).toEqual({ people: 40, done: Math.max(0, sent - 10) })
      expect(early).not.toHaveProperty('perSecond')
    }
    const more = of({ ...running, tally: tally({ sent: 60 }) })
    const done = progressOf(more, begunAt + 10_000)
    expect(done).toMatchObject({ run: { people: 50, done: 50 } })
    // Nobody knows when the mail server takes those who are tried again.
    const deferred = of({ ...running, tally: tally({ sent: 48, queued: 2 }) })
    const waits = progressOf(deferred, begunAt + 10_000)
    expect(waits).toMatchObject({ run: { people: 40, done: 38 }, again: 2 })
    for (const one of [done, waits]) expect(one).not.toHaveProperty('secondsLeft')
    // Before its letters it says nothing of that.
    const checking = { run: runOf({ next: 'check', sending: undefined }), isRunning: true }
    expect(progressOf(of(checking))).not.toHaveProperty('run')
  })

  it('says of a run that somebody else began who that is', () => {
    const run = { ...runOf({ isFromDesk: undefined }), host: 'elsewhere 7', pid: 7 }
    const seen = progressOf(of({ run, isRunning: true }))
    expect(seen).toMatchObject({ state: 'sending', by: 'elsewhere, process 7' })
    for (const field of ['balance', 'end']) expect(seen).not.toHaveProperty(field)
  })

  it('goes on with one press where the run was interrupted, as it was begun', () => {
    const queued = tally({ queued: 5 })
    const goesOn = (notes: RunNotes, more: Partial<Standing> = {}) =>
      progressOf(of({ tally: queued, run: runOf(notes, false), ...more })).goesOn
    expect(goesOn({})).toBe('everyone')
    expect(goesOn({ stage: 'one-per-cent' })).toBe('one-per-cent')
    // One of a terminal that leaves somebody out.
    expect(goesOn({ stage: undefined })).toBeUndefined()
    expect(goesOn({}, { tally: tally({ sent: 5 }) })).toBeUndefined()
    expect(progressOf(of({ tally: queued, run: ended('failing') })).goesOn).toBeUndefined()
    expect(['newcomers', 'failed', 'uncertain', 'hostile'].map(goesOnWith)).toEqual([
      'everyone',
      'failed',
      // They could get it twice.
      undefined,
      undefined,
    ])
  })

  it('says who was left out, and the balance when it is over', () => {
    const suppressed = { ...noSuppressions(), bounced: 2, unsubscribed: 1 }
    const seen = progressOf(of({ tally: tally({ sent: 47, suppressed: 3 }), suppressed }))
    expect(seen.leftOut).toEqual([
      { why: 'bounced', count: 2 },
      { why: 'unsubscribed', count: 1 },
    ])
    expect(seen.balance).toEqual({
      text: 'The balance holds: 50 = 47 sent + 3 suppressed',
      holds: true,
    })
    expect(seen).not.toHaveProperty('end')
    expect(progressOf(of({ tally: tally({ sent: 47 }) })).balance).toMatchObject({
      holds: false,
      text: expect.stringMatching(/^THE BALANCE DOES NOT HOLD/),
    })
    const unsent = progressOf(of({ announcement: undefined }))
    expect(unsent).toMatchObject({ state: 'unsent', eligible: 0, leftOut: [] })
    for (const field of ['balance', 'end', 'pace']) expect(unsent).not.toHaveProperty(field)
    expect(progressOf(of({ announcement: uncounted }))).not.toHaveProperty('balance')
  })

  it('says at which rate of an hour it is sent and when it is done, and why it stopped by itself', () => {
    const left = { tally: tally({ queued: 6000 }) }
    const paced = (rate: string) => of({ ...left, run: runOf({ rate }), isRunning: true })
    const friday = new Date(2026, 10, 27, 11).getTime()
    expect(progressOf(paced('2000/h'), friday - 86_400_000)).toMatchObject({
      pace: '2,000 an hour, done about 14:00',
    })
    expect(progressOf(paced('10'))).not.toHaveProperty('pace')
    expect(progressOf(of({ ...left, run: ended('leaving') }))).toMatchObject({
      pace: 'Stopped: too many people unsubscribed or complained. Only a command at a terminal goes on in spite of that.',
    })
    expect(progressOf(of({ ...left, run: ended('unready') }))).not.toHaveProperty('pace')
  })
})

it('a stage writes to so many at most, where the numbers tell', () => {
  const numbers = tally({ queued: 5, failed: 3, uncertain: 2, sent: 9 })
  const most = (['everyone', 'failed', 'uncertain', 'newcomers', 'one-per-cent'] as const).map(
    (stage) => mostIn(stage, { tally: numbers, again: 1 }),
  )
  // Who waits to be tried again is tried by every run.
  expect(most).toEqual([5, 4, 3, 0, 0])
  expect(mostIn('failed', { tally: { ...numbers, failed: 0 }, again: 1 })).toBe(0)
})

describe('the end of the last run', () => {
  const endOf = (run: Run, more: Partial<Standing> = {}) => {
    const seen = progressOf(of({ tally: tally({ queued: 5 }), run, ...more }), begunAt)
    return [seen.end, seen.endedWell] as const
  }

  it('is said by its code, with the share that was set', () => {
    expect(endOf(ended('done'))).toEqual(['This stage is done.', true])
    expect(endOf(ended('done'), { tally: tally({ sent: 50 }) })).toEqual(['Done.', true])
    expect(endOf(ended('interrupted'))).toEqual([
      'Stopped, with everything under way finished.',
      true,
    ])
    expect(endOf(ended('failing', {}, '550 no'))).toEqual([
      'Stopped: more than 5 % of this run failed, last with "550 no".',
      false,
    ])
    expect(endOf(ended('failing', { stopShare: 0.025 }, '550 no'))[0]).toMatch(
      /more than 2\.5 % of this run failed/,
    )
    expect(endOf(ended('unreachable'))[1]).toBe(false)
  })

  it('is what kept it from sending', () => {
    const found: Found[] = [
      { code: 'mail-server', answer: 'away', verdict: 'fatal' },
      { code: 'letter-link', about: 'x', verdict: 'unknown' },
    ]
    expect(endOf(ended('fatal', { found }))[0]).toBe(
      'Nothing is sent until the problems are solved. Mail server: away',
    )
    expect(endOf(ended('problem', { found }))[0]).toMatch(/^Nothing is sent\. Solve these problems/)
    expect(endOf(ended('fault', {}, 'It broke.'))).toEqual(['It broke.', false])
    expect(endOf(ended('not-begun'), { announcement: undefined })[0]).toMatch(/did not begin/)
    const refusal = { code: 'letter-asks', id: 'launch', asked: 'question' }
    const refused = runOf({ end: { why: 'refused', answer: '', refusal } }, false)
    expect(endOf(refused)[0]).toMatch(/^"launch" was sent as a letter that asks,/)
  })

  it('was an interruption else, and says whether anybody is left', () => {
    const gone = runOf({}, false)
    expect(endOf(gone)).toEqual([
      'The last run was interrupted. It can go on where it ended: nobody gets it twice.',
      false,
    ])
    const end = (uncertain: number) =>
      endOf(gone, { tally: tally({ sent: 50 - uncertain, uncertain }) })[0]
    expect(end(0)).toBe('The last run was interrupted. Nobody is left to be told.')
    expect(end(1)).toBe(
      'The last run was interrupted. Nobody is left to be told; 1 person may have the letter or not.',
    )
    expect(end(2)).toMatch(/2 people may have the letter or not/)
    expect(endOf(gone, { announcement: undefined })[0]).toBe(
      'The last run was interrupted before it sent anything.',
    )
  })

  it('says something whatever anybody wrote into it', () => {
    for (const why of ['', 'x', 'constructor', '__proto__', 'toString'])
      expect(endOf(ended(why))[0], why).toBe('The last run did not say why it ended.')
    const found = [{ code: 'constructor' }, { code: 'no' }, { code: 'earlier' }] as never
    expect(progressOf(of({ run: runOf({ found }, false) })).found.length).toBeLessThanOrEqual(3)
    for (const code of ['toString', 'letter-mistakes', 'imbalance', 'another-runs']) {
      const refused = { why: 'refused', answer: '', refusal: { code } }
      expect(endOf(runOf({ end: refused }, false))[0], code).toEqual(expect.any(String))
    }
  })

  it('names the problems that the operator may override, or overrode', () => {
    const found: Found[] = [{ code: 'page-not-set', verdict: 'problem', language: 'de' }]
    expect(problemsOf(ended('fatal', { found }))).toEqual([])
    for (const run of [ended('problem', { found }), runOf({ found })])
      expect(problemsOf(run)).toEqual(['page-not-set de '])
    expect(problemsOf(undefined)).toEqual([])
  })
})
