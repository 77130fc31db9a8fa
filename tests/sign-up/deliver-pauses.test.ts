import { expect, it } from 'vitest'
import type { SendOutcome } from '../../src/mail/mailer.ts'
import { letterRounds } from '../../src/sign-up/deliver.ts'
import type { ClaimedLetter, SettledLetter } from '../../src/store/requests.ts'

const MINUTE = 60_000
const at = new Date('2026-03-01T12:00:00.000Z')
const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
const accepted: SendOutcome = { kind: 'accepted', answer: '250' }
const away: SendOutcome = { kind: 'unsent', answer: 'away' }
const unusable: SendOutcome = { kind: 'unusable', answer: 'no such user here' }

const letter = (tries: number, place: number): ClaimedLetter => ({
  request: { tries, email: 'ada@example.com', addressId: `a${place}`, at, shown },
  pending: { email: 'ada@example.com', askedAt: at, letters: 1, lastLetterAt: at, shown },
  before: undefined,
})

/**
 * A sender with its usual times, round by round, with no time that passes. Each round sends a letter
 * for every answer, or has none to send.
 */
function usualSender() {
  const settled: SettledLetter[] = []
  let answers: SendOutcome[] = []
  let tries = 0
  const { round, nextPause } = letterRounds({
    requests: {
      claimLetters: async () => ({
        letters: answers.map((_, i) => letter(tries, i)),
        isMore: false,
      }),
      async settleLetters(letters) {
        settled.push(...letters)
      },
    },
    mailer: {
      connections: 5,
      check: async () => ({ roundTripMs: 0 }),
      send: async () => answers.shift() ?? accepted,
      close() {},
    },
    decide: () => ({}),
    letter: () => ({
      from: 'a@example.org',
      replyTo: undefined,
      to: 'ada@example.com',
      subject: '',
      html: '',
      text: '',
      messageId: '<1@example.org>',
      headers: {},
      pictures: [],
    }),
    log: () => {},
  })
  return {
    settled,
    nextPause,
    round(...given: SendOutcome[]) {
      answers = given
      return round()
    },
    afterTries(number: number) {
      tries = number
    },
  }
}

it.for([
  ['away', away],
  ['not to be used', unusable],
] as const)(
  'waits twice as long each time that a mail server is %s, a minute at most',
  async ([, outcome]) => {
    const { round, nextPause } = usualSender()
    const all = [outcome, outcome, outcome]
    const pauses: number[] = []
    for (let turn = 0; turn < 6; turn++) {
      expect(await round(...all)).toBe(false)
      pauses.push(nextPause() / 1000)
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60])
    // It stays away where there is nothing to send either.
    expect(await round()).toBe(false)
    expect(nextPause()).toBe(MINUTE)
    expect(await round(accepted)).toBe(true)
    expect(nextPause()).toBe(1000)
    await round(...all)
    expect(nextPause()).toBe(5000)
  },
)

it('goes on with the others while the letters to one or two addresses cannot leave', async () => {
  const { round, nextPause, settled, afterTries } = usualSender()
  const waits: number[] = []
  for (const tries of [0, 1, 2, 3, 4, 5, 6, 7]) {
    afterTries(tries)
    const before = Date.now()
    expect(await round(away, away)).toBe(true)
    expect(nextPause()).toBe(1000)
    waits.push(Math.round(((settled.at(-1)?.dueAt?.getTime() ?? 0) - before) / 1000))
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
  // One that the server answered says that it is there, whatever the answer is.
  for (const kind of ['accepted', 'refused', 'deferred'] as const)
    expect(await round(away, away, away, away, { kind, answer: '' })).toBe(true)
})

it('tries a letter that was put off after a minute, four, sixteen, and every six hours at last', async () => {
  const { round, settled, afterTries } = usualSender()
  const minutes: number[] = []
  for (const tries of [0, 1, 2, 3, 4, 5, 9]) {
    afterTries(tries)
    const before = Date.now()
    await round({ kind: 'deferred', answer: '451 later' })
    minutes.push(Math.round(((settled.at(-1)?.dueAt?.getTime() ?? 0) - before) / MINUTE))
  }
  expect(minutes).toEqual([1, 4, 16, 64, 256, 360, 360])
})
