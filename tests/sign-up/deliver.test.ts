import { describe, expect, it, onTestFinished } from 'vitest'
import { MailerUnusable, type SendOutcome } from '../../src/mail/mailer.ts'
import type { Pending } from '../../src/people/pending.ts'
import { backOff } from '../../src/queue/retry-policy.ts'
import { rounds } from '../../src/queue/round.ts'
import { letterRounds } from '../../src/sign-up/deliver.ts'
import type { ClaimedLetter, SettledLetter } from '../../src/store/requests.ts'

const MINUTE = 60_000
const start = new Date('2026-03-01T12:00:00.000Z')
const before: Pending = {
  email: 'ada@example.com',
  askedAt: start,
  letters: 1,
  lastLetterAt: start,
  shown: { words: 'Notify Me', page: 'a1', language: 'en' },
}
const pending = { ...before, letters: 2, lastLetterAt: new Date(start.getTime() + 20 * MINUTE) }

const claimed = (id: string, tries = 0): ClaimedLetter => ({
  request: {
    tries,
    email: before.email,
    addressId: `a${id}`,
    at: start,
    shown: before.shown,
  },
  pending,
  before,
})

/** Sends what it is given, turn by turn, and tells how that was kept. */
function sending(turns: (ClaimedLetter[] | Error)[], answers: (SendOutcome | Error)[]) {
  const [limits, settled, said]: [number[], SettledLetter[], string[]] = [[], [], []]
  const { promise: whenDone, resolve: done } = Promise.withResolvers<void>()
  let [isMailerOpen, sent] = [true, 0]
  const work = letterRounds({
    requests: {
      async claimLetters(limit) {
        limits.push(limit)
        const turn = turns.shift()
        if (!turn) done()
        if (turn instanceof Error) throw turn
        return { letters: turn ?? [], isMore: false }
      },
      async settleLetters(letters) {
        settled.push(...letters)
      },
    },
    mailer: {
      connections: 5,
      check: async () => ({ roundTripMs: 0 }),
      async send() {
        const answer = answers[sent++] ?? { kind: 'accepted', answer: '250 ok' }
        if (answer instanceof Error) throw answer
        return answer
      },
      close() {
        isMailerOpen = false
      },
    },
    decide: () => ({}),
    letter: () => ({
      from: 'a@example.org',
      replyTo: undefined,
      to: before.email,
      subject: '',
      html: '',
      text: '',
      messageId: '<1@example.org>',
      headers: {},
      pictures: [],
    }),
    log: (message) => said.push(message),
    times: {
      look: 1,
      lease: MINUTE,
      pauses: [1, 2, 4],
      soon: backOff(1, 4),
      later: backOff(MINUTE, 20 * MINUTE, 4),
    },
  })
  const { close } = rounds(work)
  onTestFinished(close)
  return { limits, settled, said, whenDone, close, isMailerOpen: () => isMailerOpen }
}

async function settledAs(outcome: SendOutcome | Error, tries = 0) {
  const { settled, whenDone } = sending([[claimed('1', tries)]], [outcome])
  await whenDone
  const [{ change, dueAt, request } = { change: undefined, dueAt: undefined, request: undefined }] =
    settled
  expect(request?.addressId).toBe('a1')
  const inMinutes = dueAt && Math.round(Math.max(0, dueAt.getTime() - Date.now()) / MINUTE)
  return { kept: change?.(pending), inMinutes }
}

describe('a letter', () => {
  it('that was accepted is done with', async () => {
    expect(await settledAs({ kind: 'accepted', answer: '250' })).toEqual({
      kept: undefined,
      inMinutes: undefined,
    })
  })

  it('that was refused is done with, counts for no mailbox, and its time and reason are kept', async () => {
    const answer = '550 no such user'
    const { kept, inMinutes } = await settledAs({ kind: 'refused', answer })
    expect(kept).toEqual({
      ...pending,
      letters: pending.letters - 1,
      refusedAt: expect.any(Date),
      failure: answer,
    })
    expect(inMinutes).toBeUndefined()
  })

  it('that may have left counts, and another goes later', async () => {
    const answer = 'connection lost'
    expect(await settledAs({ kind: 'uncertain', answer })).toEqual({
      kept: { ...pending, failure: answer },
      inMinutes: 1,
    })
  })

  it.for([
    [0, 1],
    [1, 4],
    [2, 16],
    [3, 20],
    [9, 20],
  ] as const)(
    'that was put off %i times before does not count, and waits %i minutes',
    async ([tries, minutes]) => {
      const answer = '451 greylisted'
      expect(await settledAs({ kind: 'deferred', answer }, tries)).toEqual({
        kept: { ...before, failure: answer },
        inMinutes: minutes,
      })
    },
  )

  it('waits as long as the mail server says, if that is longer, and some hours at most', async () => {
    const answer = '450 4.7.1 Greylisted'
    for (const [waitMs, tries, inMinutes] of [
      [5 * MINUTE, 0, 5],
      [5 * MINUTE, 2, 16],
      [1000, 0, 1],
      [1000 * MINUTE, 0, 20],
    ] as const)
      expect(
        await settledAs({ kind: 'deferred', answer, says: 'greylisting', waitMs }, tries),
      ).toMatchObject({ inMinutes })
  })

  it('that is put off for what we do, or for a limit that we reached, is due soon and is kept', async () => {
    for (const outcome of [
      { kind: 'deferred', answer: 'too fast', says: 'rate' } as const,
      { kind: 'unusable', answer: 'enough today', says: 'quota' } as const,
    ])
      expect(await settledAs(outcome, 9)).toMatchObject({
        kept: { failure: outcome.answer },
        inMinutes: 0,
      })
  })

  it('that could not leave does not count, and is due soon', async () => {
    for (const outcome of [
      { kind: 'unsent', answer: 'away' } as const,
      { kind: 'unusable', answer: 'away' } as const,
      new MailerUnusable('away'),
    ])
      expect(await settledAs(outcome)).toEqual({
        kept: { ...before, failure: 'away' },
        inMinutes: 0,
      })
  })

  it('that was the first leaves no time of a last one when it could not leave', async () => {
    const first: ClaimedLetter = { ...claimed('1'), before: undefined }
    const { settled, whenDone } = sending([[first]], [{ kind: 'unsent', answer: 'away' }])
    await whenDone
    expect(settled[0]?.change?.(pending)).toMatchObject({ letters: 1, lastLetterAt: undefined })
  })

  it('that could not leave gives nobody more codes to try', async () => {
    const tried: ClaimedLetter = { ...claimed('1'), before: { ...before, wrongCodes: 3 } }
    const { settled, whenDone } = sending([[tried]], [{ kind: 'deferred', answer: 'later' }])
    await whenDone
    expect(settled[0]?.change?.({ ...pending, wrongCodes: 5 }).wrongCodes).toBe(5)
  })

  it('that left has a code that counts, whatever was tried before', async () => {
    const tried: ClaimedLetter = { ...claimed('1'), before: { ...before, wrongCodes: 5 } }
    const { settled, whenDone } = sending([[tried]], [{ kind: 'accepted', answer: '250' }])
    await whenDone
    expect(settled[0]?.change?.({ ...pending, wrongCodes: 5 }).wrongCodes).toBeUndefined()
  })
})

describe('the sender', () => {
  const away: SendOutcome = { kind: 'unsent', answer: 'away' }

  it('says once that a mail server is away, and when it is back', async () => {
    const { said, whenDone } = sending(
      [
        [claimed('1'), claimed('2')],
        [claimed('1')],
        [claimed('3')],
        [claimed('1')],
        [claimed('2')],
      ],
      [away, away, away, away],
    )
    await whenDone
    expect(said).toEqual([
      'Confirmation letters: one was not taken by the mail server (away). What is kept is sent again later.',
      'Confirmation letters cannot reach the mail server (away). What is kept is sent again later.',
      'Confirmation letters reach the mail server again.',
    ])
  })

  it('asks for nothing any more once it is closed, and closes the mailer', async () => {
    const { limits, whenDone, close, isMailerOpen } = sending([], [])
    await whenDone
    await close()
    const asked = limits.length
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(limits).toHaveLength(asked)
    expect(isMailerOpen()).toBe(false)
  })
})
