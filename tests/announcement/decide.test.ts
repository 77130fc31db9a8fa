import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wasTold } from '../../src/announcement/left-out.ts'
import { type Deciding, decide } from '../../src/announcement/who-is-told.ts'
import { standings } from '../../src/people/standing.ts'
import { isMailable } from '../../src/shared/mailable.ts'
import {
  deliveryStatuses,
  leftOutReasons,
  mayComeBack,
  type Recipient,
  suppressionReasons,
} from '../../src/store/delivery-ledger.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const time = fc.integer({ min: 1, max: 60 }).map(day)

const letter = (announcement: string) =>
  fc.record({
    announcement: fc.constant(announcement),
    status: fc.constantFrom(...deliveryStatuses),
    tries: fc.nat(3),
    standing: fc.option(fc.constantFrom(...suppressionReasons), { nil: undefined }),
    changedAt: time.map((at) => at.toISOString()),
  })

const recipient: fc.Arbitrary<Recipient> = fc.record({
  number: fc.integer({ min: 1, max: 9 }),
  email: fc.constantFrom('ada@example.com', 'root@[127.0.0.1]'),
  subscribedAt: time,
  signedUpAt: fc.option(time, { nil: undefined }),
  standing: fc.constantFrom(...standings),
  letters: fc
    .tuple(...['launch', 'earlier', 'later', 'question'].map((id) => fc.option(letter(id))))
    .map((all) => all.flatMap((one) => one ?? [])),
})

const deciding: fc.Arbitrary<Deciding> = fc.record({
  id: fc.constant('launch'),
  earlier: fc.constantFrom(new Set<string>(), new Set(['earlier', 'later'])),
  later: fc.constantFrom(new Set<string>(), new Set(['later'])),
  questions: fc.constantFrom(new Map<string, Date>(), new Map([['question', day(30)]])),
  silentSince: fc.option(time, { nil: undefined }),
  leavesOut: fc.option(
    fc.constantFrom(...leftOutReasons).map((why) => () => why),
    { nil: undefined },
  ),
})

it('a letter waits only for who may be mailed, was not told, and has no row but one that is decided again', () => {
  fc.assert(
    fc.property(recipient, deciding, (one, by) => {
      const { isWaiting, leftOut, wasLeftOutAs, row } = decide(one, by)
      const again = mayComeBack.some((why) => why === row?.standing)
      if (isWaiting) {
        expect(one.standing).toBe('subscribed')
        expect(isMailable(one.email)).toBe(true)
        expect(wasTold(one, by.earlier)).toBe(false)
        expect(row === undefined || again).toBe(true)
        expect(leftOut).toBeUndefined()
        const last = one.signedUpAt ?? one.subscribedAt
        if (by.silentSince)
          expect(last < by.silentSince || one.subscribedAt < by.silentSince).toBe(true)
      }
      // Who left keeps the row as it is.
      if (one.standing !== 'subscribed') expect(wasLeftOutAs).toBeUndefined()
      // Everybody without a row gets one: queued, left out with a reason, or as they stand in their turn.
      if (!row && !isWaiting && !leftOut) expect(one.standing).not.toBe('subscribed')
    }),
  )
})

it('who did not answer a question goes last, and who referred friends goes first', () => {
  fc.assert(
    fc.property(recipient, deciding, fc.nat(5), (one, by, friends) => {
      const referred = new Map([[one.email, friends]])
      const { turn = 0 } = decide(one, { ...by, referred })
      const asked = wasTold(one, new Set(by.questions.keys()))
      if (asked && one.subscribedAt < day(30)) expect(turn).toBeGreaterThan(0)
      else expect(turn).toBe(0 - friends)
    }),
  )
})
