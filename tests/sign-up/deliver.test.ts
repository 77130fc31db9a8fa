import { describe, expect, it } from 'vitest'
import { MailerUnusable, type SendOutcome } from '../../src/mail/mailer.ts'
import type { Pending } from '../../src/people/pending.ts'
import type { ClaimedLetter, SettledLetter } from '../../src/people/requests.ts'
import { letterRounds } from '../../src/sign-up/deliver.ts'

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

/** Sends what it is given, a round each, and tells how that was kept. */
function sending(turns: ClaimedLetter[][], answers: (SendOutcome | Error)[]) {
  const [settled, said]: [SettledLetter[], string[]] = [[], []]
  let isMailerOpen = true
  const work = letterRounds({
    requests: {
      claimLetters: async () => ({ letters: turns.shift() ?? [], isMore: false }),
      settleLetters: async (letters) => void settled.push(...letters),
    },
    mailer: {
      connections: 5,
      check: async () => ({ roundTripMs: 0 }),
      async send() {
        const answer = answers.shift() ?? { kind: 'accepted', answer: '250 ok' }
        if (answer instanceof Error) throw answer
        return answer
      },
      close() {
        isMailerOpen = false
      },
    },
    decide: () => ({}),
    letter: () => ({
      ...{ from: 'a@example.org', replyTo: undefined, to: before.email, subject: '', html: '' },
      ...{ text: '', messageId: '<1@example.org>', headers: {}, pictures: [] },
    }),
    log: (message) => said.push(message),
  })
  return { ...work, settled, said, isMailerOpen: () => isMailerOpen }
}

async function settledAs(outcome: SendOutcome | Error, tries = 0) {
  const { settled, round } = sending([[claimed('1', tries)]], [outcome])
  await round()
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
    [3, 64],
    [4, 256],
    [5, 360],
    [9, 360],
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
      [1000 * MINUTE, 0, 360],
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
        inMinutes: 5,
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
    const { settled, round } = sending([[first]], [{ kind: 'unsent', answer: 'away' }])
    await round()
    expect(settled[0]?.change?.(pending)).toMatchObject({ letters: 1, lastLetterAt: undefined })
  })

  it('that could not leave gives nobody more codes to try', async () => {
    const tried: ClaimedLetter = { ...claimed('1'), before: { ...before, wrongCodes: 3 } }
    const { settled, round } = sending([[tried]], [{ kind: 'deferred', answer: 'later' }])
    await round()
    expect(settled[0]?.change?.({ ...pending, wrongCodes: 5 }).wrongCodes).toBe(5)
  })

  it('that left has a code that counts, whatever was tried before', async () => {
    const tried: ClaimedLetter = { ...claimed('1'), before: { ...before, wrongCodes: 5 } }
    const { settled, round } = sending([[tried]], [{ kind: 'accepted', answer: '250' }])
    await round()
    expect(settled[0]?.change?.({ ...pending, wrongCodes: 5 }).wrongCodes).toBeUndefined()
  })
})

describe('the sender', () => {
  const away: SendOutcome = { kind: 'unsent', answer: 'away' }
  const unusable: SendOutcome = { kind: 'unusable', answer: 'no such user here' }
  const some = (number: number, tries = 0) =>
    Array.from({ length: number }, (_, i) => claimed(`${i}`, tries))

  it.for([away, unusable])(
    'waits twice as long each time that a mail server is $kind, a minute at most',
    async (outcome) => {
      const turns = Array.from({ length: 6 }, () => some(3))
      const { round, nextPause, said } = sending([...turns, [], some(1)], Array(18).fill(outcome))
      const pauses: number[] = []
      for (let turn = 0; turn < 6; turn++) {
        expect(await round()).toBe(false)
        pauses.push(nextPause() / 1000)
      }
      expect(pauses).toEqual([5, 10, 20, 40, 60, 60])
      // It stays away where there is nothing to send either.
      expect(await round()).toBe(false)
      expect(nextPause()).toBe(MINUTE)
      expect(await round()).toBe(true)
      expect(nextPause()).toBe(1000)
      expect(said).toEqual([
        `Confirmation letters cannot reach the mail server (${outcome.answer}). What is kept is sent again later.`,
        'Confirmation letters reach the mail server again.',
      ])
    },
  )

  it('goes on with the others while the letters to one or two addresses cannot leave', async () => {
    const tries = [0, 1, 2, 3, 4, 5, 6, 7]
    const { round, nextPause, settled } = sending(
      tries.map((tried) => some(2, tried)),
      Array(16).fill(away),
    )
    const waits: number[] = []
    for (const _ of tries) {
      const then = Date.now()
      expect(await round()).toBe(true)
      expect(nextPause()).toBe(1000)
      waits.push(Math.round(((settled.at(-1)?.dueAt?.getTime() ?? 0) - then) / 1000))
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
    // One that the server answered says that it is there, whatever the answer is.
    for (const kind of ['accepted', 'refused', 'deferred'] as const) {
      const { round } = sending([some(5)], [...Array(4).fill(away), { kind, answer: '' }])
      expect(await round()).toBe(true)
    }
  })

  it('closes the mailer when all has ended', async () => {
    const { end, isMailerOpen } = sending([], [])
    end?.()
    expect(isMailerOpen()).toBe(false)
  })
})
