/** @module-tag thorough */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Waits } from '../../../src/announcement/sending/rows-in-hand.ts'
import { smtpMailer } from '../../../src/mail/smtp-mailer.ts'
import type { SmtpTimeouts } from '../../../src/mail/smtp-session.ts'
import {
  type LimitedRelayOptions,
  type Place,
  startLimitedRelay,
} from '../../fixtures/limited-relay.ts'
import { quick, quiet, setStage } from '../../fixtures/stage.ts'
import { people, person } from '../../store/contracts/people.ts'

const timeouts = { connect: 20_000, silence: 3_000, message: 20_000 }

/** An announcement to 46 people by a mail server that answers like this. */
async function announced(
  answer: (command: string, place: Place) => string | undefined,
  options: LimitedRelayOptions & { timeouts?: SmtpTimeouts } = {},
) {
  const relay = await startLimitedRelay(answer, options)
  const { run, store } = await setStage(46)
  const mailer = smtpMailer({ url: relay.url, timeouts, ...options })
  onTestFinished(mailer.close)
  return { relay, mailer, store, run: (more = {}) => run({ mailer, ...more }) }
}

const everybody = people(46).map(({ email }) => email)
const at =
  (where: string, what: string, from = 5) =>
  (command: string, place: Place) =>
    command === where && place.inConnection >= from ? what : undefined

describe('a mail server that takes five letters a connection', () => {
  it.each([
    ['421 at the sixth MAIL', at('MAIL', '421 Service not available, closing')],
    ['421 after the whole sixth letter', at('.', '421 4.4.2 closing')],
    ['nothing at the sixth MAIL', at('MAIL', 'close')],
    ['a yes to the fifth letter, and closes', at('.', '250 2.0.0 queued!', 4)],
    ['452 4.5.3 for the recipient', at('RCPT', '452 4.5.3 Too many recipients')],
  ])('tells all of them once in one run where the rest gets %s', async (_, answer) => {
    const { relay, run, store } = await announced(answer)
    const { why, balance } = await run({ stopShare: 0 })
    expect(why).toBe('done')
    expect(balance).toMatchObject({ holds: true, tally: { sent: 46 } })
    expect(relay.taken.toSorted()).toEqual(everybody.toSorted())
    for await (const { tries } of store.ledger.deliveries('launch', 'sent')) expect(tries).toBe(1)
  })

  it('is not asked a second time by a letter on a new connection, and its own words are kept', async () => {
    const { relay, run } = await announced(
      at('RCPT', '421 4.7.0 No more today from <us@example.org>', 0),
    )
    const { why, answer, balance } = await run()
    expect(why).toBe('deferring')
    expect(answer).toBe('421 4.7.0 No more today from <address>')
    expect(balance).toMatchObject({ holds: true, tally: { queued: 46 } })
    expect(relay.connections()).toBeLessThan(30)
  })

  it('makes a letter uncertain where it closes after the final dot without an answer', async () => {
    let closes = 2
    const { relay, run } = await announced((command, { inConnection }) =>
      command === '.' && inConnection === 3 && closes-- > 0 ? 'close' : undefined,
    )
    const { why, balance } = await run()
    expect(why).toBe('done')
    expect(balance).toMatchObject({ holds: true, tally: { sent: 44, uncertain: 2 } })
    expect(relay.read.toSorted()).toEqual(everybody.toSorted())
  })
})

describe('a mail server that takes three connections', () => {
  const isMore = ({ open }: Place) => open > 3
  it.each([
    ['421 as its greeting', '', '421 4.3.2 The maximum number of concurrent server connections'],
    ['432 after the letter', '.', '432 4.3.2 Concurrent connections limit exceeded.!'],
    ['421 at the recipient', 'RCPT', '421 4.7.0 too many concurrent SMTP connections'],
  ])('gets no more than it takes, and all letters in one run: %s', async (_, where, what) => {
    const { relay, mailer, run } = await announced((command, place) =>
      command === where && isMore(place) ? what : undefined,
    )
    const { why, balance } = await run({ stopShare: 0 })
    expect(why).toBe('done')
    expect(balance).toMatchObject({ holds: true, tally: { sent: 46 } })
    expect(relay.taken.toSorted()).toEqual(everybody.toSorted())
    expect(mailer.connections).toBeLessThanOrEqual(3)
  })

  it('ends the run where it takes none, with its own words', async () => {
    const { run } = await announced((command) => (command ? undefined : '421 4.3.2 Not now'))
    expect(await run()).toMatchObject({
      why: 'unreachable',
      answer: expect.stringContaining('421 4.3.2 Not now'),
      balance: { holds: true, tally: { queued: 46 } },
    })
  })

  it('is not given the same letter again and again where it always says that it has enough', async () => {
    const { relay, run } = await announced((command) =>
      command === '.' ? '432 4.3.2 Concurrent connections limit exceeded' : undefined,
    )
    const { why, balance } = await run()
    expect(why).toBe('deferring')
    expect(balance).toMatchObject({ holds: true, tally: { queued: 46, failed: 0 } })
    expect(relay.read.length).toBeLessThan(40)
  })
})

describe('a mail server that refuses a recipient, and takes DATA all the same', () => {
  it.each([
    ['550 5.1.1 unknown', 'failed'],
    ['450 4.2.1 busy', 'queued'],
  ])('is understood at once: %s', async (said, status) => {
    const { run, store, relay } = await announced((command, { before }) =>
      command === 'RCPT' && before < 1 ? said : undefined,
    )
    const minute = { backOff: 60_000, maxBackOff: 60_000, patience: 1000 }
    const { balance } = await run({ retryPolicy: { ...quick, deferrals: 100, ...minute } })
    expect(balance).toMatchObject({ holds: true, tally: { [status]: 46 } })
    expect(await store.ledger.deliveriesTo(person(7).email)).toMatchObject([
      { status, answer: said },
    ])
    expect(relay.read).toEqual([])
    // It is known after the first letters, and keeps its connection from then on.
    expect(relay.connections()).toBeLessThanOrEqual(10)
  })
})

it('a mail server that refuses a recipient, and never answers DATA, holds the first letters only', async () => {
  const { run, relay } = await announced(
    (command) => (command === 'DATA' ? '' : command === 'RCPT' ? '550 5.1.1 unknown' : undefined),
    { timeouts: { ...timeouts, connect: 200, silence: 20_000 } },
  )
  const { balance } = await run()
  expect(balance).toMatchObject({ holds: true, tally: { failed: 46 } })
  expect(relay.connections()).toBeLessThanOrEqual(10)
})

it('what a mail server says that puts off all is said while the run waits for it', async () => {
  const waits = new Set<string>()
  const { run } = await announced(at('MAIL', '421 4.3.2 Not now', 0))
  const on = { ...quiet, waiting: (what: Waits) => waits.add(JSON.stringify(what)) }
  expect(await run({ on })).toMatchObject({ why: 'deferring', answer: '421 4.3.2 Not now' })
  expect(waits).toContain(JSON.stringify({ code: 'mail', answer: '421 4.3.2 Not now' }))
})

describe('a mail server that greylists', () => {
  const grey =
    (said: string) =>
    (command: string, { before }: Place) =>
      command === 'RCPT' && before === 0 ? said : undefined

  it('is not waited for in the foreground: the run ends, and the next one goes on in time', async () => {
    const { run, relay, store } = await announced(
      grey('451 4.7.1 Greylisted, come back in 00:05:00'),
    )
    const now = Date.now()
    const first = await run({ retryPolicy: { ...quick, patience: 60_000 } })
    expect(first).toMatchObject({
      why: 'deferring',
      answer: '451 4.7.1 Greylisted, come back in 00:05:00',
      balance: { holds: true, tally: { queued: 46, failed: 0 } },
    })
    const due = (await store.ledger.nextRetry('launch'))?.getTime() ?? 0
    expect(Math.round((due - now) / 60_000)).toBe(5)
    // Too early, nobody is asked again.
    expect(await run({ retryPolicy: { ...quick, patience: 60_000 } })).toMatchObject({
      why: 'deferring',
      answer: '',
    })
    expect(relay.taken).toEqual([])
  })

  it('is asked again at the time that it says and no sooner, which is no reason to stop', async () => {
    const { run, relay, store } = await announced(
      grey('450 4.7.1 Greylisted, try again in 1 second'),
    )
    expect((await run({ stopShare: 0 })).why).toBe('done')
    expect(relay.taken.toSorted()).toEqual(everybody.toSorted())
    for await (const { tries } of store.ledger.deliveries('launch', 'sent')) expect(tries).toBe(2)
  })
})

describe('a mail server whose limit for a day is reached', () => {
  it.each([
    ['.', '550 5.4.5 Daily user sending limit exceeded.'],
    ['MAIL', '451 4.7.1 You have reached your hourly sending quota'],
  ])('stops the run with its words, and nobody has failed: %s %s', async (where, said) => {
    const isOver = { now: true }
    const { run, relay } = await announced((command, { inAll }) =>
      command === where && inAll >= 3 && isOver.now ? said : undefined,
    )
    const stopped = await run({ stopShare: 0 })
    expect(stopped).toMatchObject({
      why: 'unusable',
      answer: said,
      balance: { holds: true, tally: { failed: 0, uncertain: 0 } },
    })
    const { sent, queued } = stopped.balance.tally
    expect([sent, sent + queued]).toEqual([relay.taken.length, 46])
    expect(relay.read.length).toBeLessThan(10)
    isOver.now = false
    expect(await run()).toMatchObject({ why: 'done', balance: { tally: { sent: 46 } } })
    expect(relay.taken.toSorted()).toEqual(everybody.toSorted())
  })
})

it('a mail server for which we are too fast makes nobody fail, however often it says so', async () => {
  const { run, relay } = await announced((command, { before }) =>
    command === 'RCPT' && before <= quick.tries
      ? '454 Throttling failure: Maximum sending rate exceeded.'
      : undefined,
  )
  const retryPolicy = { ...quick, deferrals: 10_000 }
  const { why, balance } = await run({ retryPolicy, stopShare: 0 })
  expect(why).toBe('done')
  expect(balance).toMatchObject({ holds: true, tally: { sent: 46, failed: 0 } })
  expect(relay.taken.toSorted()).toEqual(everybody.toSorted())
})

it('a mail server without SMTPUTF8 is offered no local part outside ASCII, and all others', async () => {
  const { run, relay, store } = await announced(() => undefined, { extensions: [] })
  const odd = 'jürgen@example.com'
  await store.list.importAll([{ email: odd, subscribedAt: new Date(0) }])
  const { why, balance } = await run({ stopShare: 0 })
  expect(why).toBe('done')
  expect(balance).toMatchObject({ holds: true, tally: { sent: 46, failed: 1 } })
  expect(relay.taken.toSorted()).toEqual(everybody.toSorted())
  expect(await store.ledger.deliveriesTo(odd)).toMatchObject([
    { status: 'failed', answer: expect.stringContaining('SMTPUTF8') },
  ])
})
