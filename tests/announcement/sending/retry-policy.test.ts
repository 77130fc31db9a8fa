import { describe, expect, it, vi } from 'vitest'
import { defaultRetryPolicy, resultOf } from '../../../src/announcement/sending/retry-policy.ts'
import type { SendOutcome } from '../../../src/mail/mailer.ts'

const now = new Date('2027-01-12T09:00:00Z')

/** The status after this try, and in how many seconds the next one is. */
function afterTry(tries: number, outcome: Partial<SendOutcome>) {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  try {
    const result = resultOf(
      { number: 1, tries },
      { kind: 'deferred', answer: 'later', ...outcome },
      defaultRetryPolicy,
    )
    const seconds = 'dueAt' in result ? (result.dueAt.getTime() - now.getTime()) / 1000 : undefined
    return [result.status, seconds]
  } finally {
    vi.useRealTimers()
  }
}

describe('the next try of a letter', () => {
  it('is later each time, until the recipient has failed', () => {
    expect([1, 2, 3, 5, 6].map((tries) => afterTry(tries, {}))).toEqual([
      ['queued', 60],
      ['queued', 120],
      ['queued', 240],
      ['queued', 900],
      ['failed', undefined],
    ])
  })

  it('is when the server says, if that is later', () => {
    expect(afterTry(1, { says: 'greylisting', waitMs: 300_000 })).toEqual(['queued', 300])
    expect(afterTry(3, { waitMs: 5_000 })).toEqual(['queued', 240])
    expect(afterTry(1, { says: 'rate', waitMs: 30_000 })).toEqual(['queued', 30])
    expect(afterTry(6, { says: 'greylisting', waitMs: 300_000 })).toEqual(['failed', undefined])
  })

  it.each(['rate', 'session', 'connections'] as const)(
    'is soon where the answer is about us, and the recipient never fails for it: %s',
    (says) => {
      expect([1, 4, 7, 50].map((tries) => afterTry(tries, { says }))).toEqual([
        ['queued', 1],
        ['queued', 8],
        ['queued', 60],
        ['queued', 60],
      ])
    },
  )

  it('is at once when the command is given again, where no letter is taken any more', () => {
    expect(afterTry(9, { kind: 'unusable', says: 'quota' })).toEqual(['queued', 0])
  })
})
