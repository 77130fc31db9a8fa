import { describe, expect, it } from 'vitest'
import { thisMachine } from '../../../../src/announcement/run/dead-run.ts'
import { mostIn } from '../../../../src/desk/contract/letters.ts'
import {
  endedOf,
  engineOf,
  isOnItsWay,
  noTally,
  ownEngine,
  problemsOf,
  progressOf,
  type Standing,
  stateOf,
} from '../../../../src/desk/server/letters/progress.ts'
import type { Run, RunHead } from '../../../../src/desk/server/letters/run-log.ts'
import type { Found } from '../../../../src/shared/found.ts'
import { noSuppressions } from '../../../../src/store/delivery-ledger.ts'

const begunAt = Date.parse('2026-11-22T09:00:00.000Z')
const head: RunHead = {
  stage: 'everyone',
  at: new Date(begunAt).toISOString(),
  host: thisMachine(),
  people: 40,
  before: 10,
  args: ['--rate=10'],
}
const engine = { host: thisMachine(), pid: 4711 }
const begun: Run = {
  number: 1,
  head,
  pid: engine.pid,
  isStopAsked: false,
  report: undefined,
  lines: [],
}
const report = { why: 'done', answer: '', tally: noTally } as unknown as NonNullable<Run['report']>
const announcement = {
  id: 'launch',
  subject: 'We are live',
  digest: 'one',
  eligible: 50,
  begunAt: new Date(begunAt),
  cutOff: new Date(begunAt),
}
const still: Standing = {
  announcement,
  tally: noTally,
  suppressed: noSuppressions(),
  engine: undefined,
  run: undefined,
}
const of = (more: Partial<Standing>): Standing => ({ ...still, ...more })
const tally = (more: Partial<Standing['tally']>) => ({ ...noTally, ...more })
const uncounted = { ...announcement, eligible: undefined }

describe('the state of a letter', () => {
  it('is that of the process which sends it, from its first moment to its stop', () => {
    expect(stateOf(of({ engine, run: begun, announcement: undefined }))).toBe('starting')
    expect(stateOf(of({ engine, run: begun, announcement: uncounted }))).toBe('starting')
    expect(stateOf(of({ engine, run: begun }))).toBe('sending')
    const asked = { ...begun, isStopAsked: true }
    expect(stateOf(of({ engine, run: asked }))).toBe('stopping')
    // What was asked of another process stops not this one.
    for (const other of [
      { ...engine, pid: 4712 },
      { ...engine, host: 'elsewhere' },
    ])
      expect(stateOf(of({ engine: other, run: asked }))).toBe('sending')
    expect(stateOf(of({ engine, run: { ...asked, report } }))).toBe('sending')
  })

  it('is told when nobody waits, else how the last run ended', () => {
    expect(stateOf(of({ announcement: undefined }))).toBe('unsent')
    expect(stateOf(of({ tally: tally({ sent: 50 }) }))).toBe('told')
    expect(stateOf(of({ announcement: uncounted }))).toBe('stopped')
    expect(stateOf(of({ tally: tally({ failed: 1, queued: 1 }) }))).toBe('partly')
    // A stage that was sent from a terminal, of which the desk has no log.
    expect(stateOf(of({ tally: tally({ sent: 1, queued: 1 }) }))).toBe('partly')
    expect(stateOf(of({ tally: tally({ sent: 1, sending: 1 }) }))).toBe('stopped')
    expect(stateOf(of({ tally: tally({ sending: 1 }) }))).toBe('stopped')
    const done = { ...begun, report }
    expect(stateOf(of({ tally: tally({ queued: 1 }), run: done }))).toBe('partly')
    expect(stateOf(of({ tally: tally({ queued: 1, sending: 1 }), run: done }))).toBe('stopped')
    const cut = { ...begun, report: { ...report, why: 'interrupted' as const } }
    expect(stateOf(of({ tally: tally({ queued: 1 }), run: cut }))).toBe('stopped')
  })

  it('has stopped where it stopped by itself', () => {
    const stopped = { ...announcement, pace: { rate: '10/s', stopped: 'failing' } } as never
    expect(stateOf(of({ announcement: stopped, tally: tally({ sent: 5, queued: 5 }) }))).toBe(
      'stopped',
    )
  })
})

describe('the progress of a letter', () => {
  it('has those who ended, whether well or not', () => {
    expect(endedOf(tally({ sent: 5, failed: 3, uncertain: 2, queued: 7, suppressed: 4 }))).toBe(10)
  })

  it('says of our own run how far and how fast it is, and when it will be done', () => {
    const counts = tally({ sent: 28, failed: 2, queued: 20, untried: 20 })
    const seen = of({ engine, run: begun, tally: counts })
    expect(progressOf(seen, begunAt + 10_000)).toMatchObject({
      at: begunAt + 10_000,
      state: 'sending',
      eligible: 50,
      tally: { sent: 28, failed: 2, queued: 20 },
      run: { people: 40, done: 20 },
      perSecond: 2,
      secondsLeft: 10,
      said: [],
    })
    for (const field of ['by', 'balance', 'end', 'endedWell', 'pace'])
      expect(progressOf(seen, begunAt + 10_000)).not.toHaveProperty(field)
    expect(progressOf(seen).tally).not.toHaveProperty('untried')
    // A moment after its begin, nobody knows how fast it is.
    for (const [now, sent] of [
      [begunAt, 12],
      [begunAt + 1000, 10],
      [begunAt + 1000, 3],
    ] as const) {
      const early = progressOf(of({ engine, run: begun, tally: tally({ sent }) }), now)
      expect(early.run).toEqual({ people: 40, done: Math.max(0, sent - 10) })
      expect(early).not.toHaveProperty('perSecond')
    }
    const more = of({ engine, run: begun, tally: tally({ sent: 60 }) })
    const done = progressOf(more, begunAt + 10_000)
    expect(done).toMatchObject({ run: { people: 50, done: 50 } })
    // Nobody knows when the mail server takes those who are tried again.
    const deferred = of({ engine, run: begun, tally: tally({ sent: 48, queued: 2 }) })
    const waits = progressOf(deferred, begunAt + 10_000)
    expect(waits).toMatchObject({ run: { people: 40, done: 38 }, again: 2 })
    for (const one of [done, waits]) expect(one).not.toHaveProperty('secondsLeft')
  })

  it('says of those who are tried again how many have ended, and none before they are in the queue', () => {
    const again = { ...head, stage: 'failed', people: 3, before: 10 } as const
    const runOf = (counts: Partial<Standing['tally']>, lines: Run['lines']) =>
      progressOf(of({ engine, run: { ...begun, head: again, lines }, tally: tally(counts) })).run
    expect(runOf({ sent: 10, failed: 3 }, [])).toEqual({ people: 3, done: 0 })
    const hasBegun = [{ code: 'begun', toSend: 3 }] as const
    expect(runOf({ sent: 11, queued: 2 }, hasBegun)).toEqual({ people: 3, done: 1 })
  })

  it('says of a run that somebody else began who that is, and no speed', () => {
    const other = { host: 'elsewhere', pid: 7 }
    const seen = progressOf(of({ engine: other, run: begun }))
    expect(seen).toMatchObject({ state: 'sending', by: 'elsewhere, process 7' })
    for (const field of ['run', 'balance', 'end']) expect(seen).not.toHaveProperty(field)
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
    const paced = (pace: object) => ({ ...announcement, pace }) as Standing['announcement']
    const left = of({
      announcement: paced({ rate: '2000/h' }),
      tally: tally({ queued: 6000 }),
      engine,
    })
    const friday = new Date(2026, 10, 27, 11).getTime()
    expect(progressOf(left, friday - 86_400_000)).toMatchObject({
      pace: '2,000 an hour, done about 14:00',
    })
    expect(progressOf({ ...left, announcement: paced({ rate: '10/s' }) })).not.toHaveProperty(
      'pace',
    )
    const stopped = { rate: '2000/h', stopped: 'leaving' }
    expect(progressOf({ ...left, engine: undefined, announcement: paced(stopped) })).toMatchObject({
      pace: 'Stopped: too many people unsubscribed or complained. Only a command at a terminal goes on in spite of that.',
    })
    expect(progressOf({ ...left, engine: undefined })).not.toHaveProperty('pace')
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
  const endOf = (run: Partial<Run>, more: Partial<Standing> = {}) => {
    const seen = progressOf(
      of({ tally: tally({ queued: 5 }), run: { ...begun, ...run }, ...more }),
      begunAt,
    )
    return [seen.end, seen.endedWell] as const
  }

  it('is said by its report, with the share that was set', () => {
    expect(endOf({ report })).toEqual(['This stage is done.', true])
    expect(endOf({ report }, { tally: tally({ sent: 50 }) })).toEqual(['Done.', true])
    const ended = (why: string, args = head.args) =>
      endOf({
        head: { ...head, args },
        report: { ...report, why, answer: '550 no' } as NonNullable<Run['report']>,
      })
    expect(ended('interrupted')).toEqual(['Stopped, with everything under way finished.', true])
    expect(ended('failing')).toEqual([
      'Stopped: more than 5 % of this run failed, last with "550 no".',
      false,
    ])
    expect(ended('failing', ['--stop-share=2.5%'])[0]).toMatch(
      /more than 2\.5 % of this run failed/,
    )
    expect(ended('unreachable')[1]).toBe(false)
  })

  it('is told by what it said last, where it has no report', () => {
    expect(endOf({ pid: undefined })[0]).toBe('The last run did not begin: the desk ended first.')
    expect(endOf({ lines: [{ code: 'settings', mistakes: 'SMTP_URL: is not set' }] })).toEqual([
      'SMTP_URL: is not set',
      false,
    ])
    for (const line of [
      { code: 'fault', text: 'It broke.' },
      { code: 'store-away', answer: 'It broke.' },
    ] as const)
      expect(endOf({ lines: [{ code: 'begun', toSend: 5 }, line] })[0]).toBe('It broke.')
    const wrong = { code: 'mail-server', answer: 'away', verdict: 'fatal' } as const
    const found = (may: 'fatal' | 'problem' | 'forced' | 'go') =>
      endOf({ lines: [{ code: 'found', found: [wrong], may }] })[0]
    expect(found('fatal')).toBe('Nothing is sent until the problems are solved. Mail server: away')
    expect(found('problem')).toMatch(/^Nothing is sent\. Solve these problems/)
    expect(found('go')).toMatch(/^The last run was cut off\./)
    expect(found('forced')).toMatch(/^The last run was cut off\./)
  })

  it('was a cut-off else, and says whether anybody is left', () => {
    const lines: Run['lines'] = [{ code: 'begun', toSend: 5 }]
    expect(endOf({ lines })[0]).toBe(
      'The last run was cut off. To go on where it ended, send it to the rest: nobody gets it twice.',
    )
    const end = (uncertain: number) =>
      endOf({ lines }, { tally: tally({ sent: 50 - uncertain, uncertain }) })[0]
    expect(end(0)).toBe('The last run was cut off. Nobody is left to be told.')
    expect(end(1)).toBe(
      'The last run was cut off. Nobody is left to be told; 1 person may have the letter or not.',
    )
    expect(end(2)).toMatch(/2 people may have the letter or not/)
    const none = { announcement: undefined }
    expect(endOf({ lines }, none)[0]).toBe('5 to send.')
    expect(endOf({ lines: [] }, none)[0]).toBe('The last run ended, and did not say why.')
  })

  it('is no more said once a terminal has told those whom it had left', () => {
    const tally5 = tally({ sent: 5, queued: 45 })
    const stopped = { ...report, why: 'interrupted', tally: tally5 } as const
    expect(endOf({ report: stopped }, { tally: tally5 })[0]).toMatch(/^Stopped/)
    const told = { tally: tally({ sent: 50 }) }
    expect(endOf({ report: stopped }, told)).toEqual([undefined, undefined])
    // It told the last of them itself.
    const last = { ...stopped, tally: told.tally }
    expect(endOf({ report: last }, told)[0]).toMatch(/^Stopped/)
  })

  it('leaves the last forty lines of what was said', () => {
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`)
    const { said } = progressOf(of({ run: { ...begun, lines } }))
    expect([said.length, said[0], said.at(-1)]).toEqual([40, 'line 10', 'line 49'])
  })

  it('names the problems that the operator may override, or overrode', () => {
    const found: Found[] = [
      { code: 'database', verdict: 'fine', ms: 1 },
      { code: 'page-not-set', verdict: 'problem', language: 'de' },
    ]
    const named = (may: 'fatal' | 'problem' | 'forced') =>
      problemsOf({ ...begun, lines: ['words', { code: 'found', found, may }] })
    expect([named('fatal'), named('problem'), named('forced')]).toEqual([
      [],
      ['page-not-set de '],
      ['page-not-set de '],
    ])
    expect(problemsOf({ ...begun, lines: [{ code: 'begun', toSend: 5 }, 'problem'] })).toEqual([])
    expect(problemsOf(undefined)).toEqual([])
  })
})

describe('the process that sends', () => {
  it('is of a run that has one, and whose log has no end', () => {
    expect(ownEngine(begun)).toEqual(engine)
    expect(ownEngine({ ...begun, pid: undefined })).toBeUndefined()
    expect(ownEngine({ ...begun, report })).toBeUndefined()
    expect(ownEngine(undefined)).toBeUndefined()
  })

  it('is the holder of the lock only where that sends this letter', () => {
    const holder = { owner: 'x', host: thisMachine(), pid: 4712 }
    const calm = { sending: 0 }
    const is =
      (command: string, ...args: string[]) =>
      () =>
        ({ is: 'tool', command, args }) as const
    expect(engineOf('launch', holder, begun, calm, is('announce', 'launch.md'))).toEqual(engine)
    expect(engineOf('launch', holder, undefined, calm, is('announce', 'launch.md'))).toEqual(holder)
    expect(engineOf('launch', holder, undefined, calm, is('ask', 'launch.md'))).toBeUndefined()
    const loading = () => ({ is: 'loading' }) as const
    expect(engineOf('launch', undefined, begun, calm, loading, begunAt + 60_000)).toEqual(engine)
    expect(engineOf('launch', undefined, begun, calm, loading, begunAt + 60_001)).toBeUndefined()
  })

  it('may be on its way for a minute', () => {
    const silent = { ...begun, pid: undefined }
    expect(isOnItsWay(silent, begunAt + 60_000)).toBe(true)
    expect(isOnItsWay(silent, begunAt + 60_001)).toBe(false)
    expect(isOnItsWay({ ...silent, report }, begunAt)).toBe(false)
    const elsewhere = { ...begun, head: { ...head, host: 'elsewhere' } }
    expect(isOnItsWay(elsewhere, begunAt)).toBe(true)
  })
})
