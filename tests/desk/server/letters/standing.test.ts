import { describe, expect, it } from 'vitest'
import { newHolder } from '../../../../src/announcement/run/dead-run.ts'
import { goesOnWith, mostIn } from '../../../../src/desk/contract/letters.ts'
import {
  problemsOf,
  progressOf,
  type Standing,
  stateOf,
} from '../../../../src/desk/server/letters/standing.ts'
import type { Finding } from '../../../../src/shared/finding.ts'
import { noSuppressions, noTally } from '../../../../src/store/delivery-ledger.ts'
import type { Run } from '../../../../src/store/run.ts'
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

const progress = (standing: Standing) =>
  progressOf(standing, { seen: { command: 'announce launch.md' }, unsent: [], newcomers: 0 })

describe('the progress of a letter', () => {
  it('has how many of each status, and how many are tried again', () => {
    const counts = tally({ sent: 28, failed: 2, queued: 20, untried: 15 })
    const seen = progress(of({ ...running, tally: counts }))
    expect(seen).toMatchObject({
      state: 'sending',
      eligible: 50,
      tally: { sent: 28, failed: 2, queued: 20 },
      again: 5,
    })
    expect(seen.tally).not.toHaveProperty('untried')
  })

  it('goes on with one press where the run was interrupted, as it was begun', () => {
    const queued = tally({ queued: 5 })
    const goesOn = (notes: RunNotes, more: Partial<Standing> = {}) =>
      progress(of({ tally: queued, run: runOf(notes, false), ...more })).goesOn
    expect(goesOn({})).toBe('everyone')
    expect(goesOn({ stage: 'one-per-cent' })).toBe('one-per-cent')
    // One of a terminal that leaves somebody out.
    expect(goesOn({ stage: undefined })).toBeUndefined()
    expect(goesOn({}, { tally: tally({ sent: 5 }) })).toBeUndefined()
    expect(progress(of({ tally: queued, run: ended('failing') })).goesOn).toBeUndefined()
    expect(['newcomers', 'failed', 'uncertain', 'hostile'].map(goesOnWith)).toEqual([
      'everyone',
      'failed',
      // They could get it twice.
      undefined,
      undefined,
    ])
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

it('names the problems that the operator may override, or overrode', () => {
  const found: Finding[] = [{ code: 'page-not-set', verdict: 'problem', language: 'de' }]
  expect(problemsOf(ended('fatal', { found }))).toEqual([])
  for (const run of [ended('problem', { found }), runOf({ found })])
    expect(problemsOf(run)).toEqual(['page-not-set de '])
  expect(problemsOf(undefined)).toEqual([])
})
