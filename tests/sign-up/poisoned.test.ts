import { expect, it } from 'vitest'
import type { SendOutcome } from '../../src/mail/mailer.ts'
import { backOff } from '../../src/queue/retry-policy.ts'
import { letterRounds } from '../../src/sign-up/deliver.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'

const shown = { words: 'Notify Me', page: 'a1', language: 'en' }

it('letters to addresses that the mail server fails on keep no newcomer waiting', async () => {
  const store = storeOnFile()
  const ask = (email: string) =>
    store.requests.requestConfirmation(email, { shown, isCrowd: false })
  const sent: string[] = []
  const { round } = letterRounds({
    requests: store.requests,
    mailer: {
      connections: 5,
      check: async () => ({ roundTripMs: 0 }),
      async send({ to }): Promise<SendOutcome> {
        sent.push(to)
        return to.startsWith('poison')
          ? { kind: 'unsent', answer: 'closed' }
          : { kind: 'accepted', answer: '250' }
      },
      close() {},
    },
    decide: ({ email, at }, { pending }, now) => {
      const asked = pending ?? { email, askedAt: at, shown, letters: 0 }
      return { isSent: true, pending: { ...asked, letters: asked.letters + 1, lastLetterAt: now } }
    },
    letter: (_, { email }) => ({
      ...{ from: 'a@example.org', replyTo: undefined, to: email, messageId: '<1@example.org>' },
      ...{ subject: '', html: '', text: '', headers: {}, pictures: [] },
    }),
    log: () => {},
    times: { soon: backOff(0, 0) },
  })
  for (let n = 0; n < 12; n += 1) await ask(`poison${n}@example.com`)
  for (let turn = 0; turn < 3; turn += 1) await round()
  expect(new Set(sent).size).toBe(12)
  await ask('new@example.com')
  await round()
  expect(sent).toContain('new@example.com')
})
