import { describe, expect, it } from 'vitest'
import type { Prospect } from '../../../src/announcement/outlook.ts'
import { gmailRoom, isFarBelow, untilGmailIsFull } from '../../../src/announcement/waves/gmail.ts'

const HOUR_MS = 3_600_000
const now = new Date('2026-11-22T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
const inHours = (hours: number) => hoursAgo(-hours)

/** @param told how many hours ago, with the address; none for somebody who was forgotten. */
function roomAfter(told: [hours: number, email?: string][], most: number) {
  let since: Date | undefined
  const store = {
    async *toldSince(time: Date) {
      since = time
      for (const [hours, email] of told) yield { email, at: hoursAgo(hours) }
    },
  }
  return gmailRoom(store, now, most).then((found) => ({ ...found, since }))
}

describe('the room that Gmail leaves', () => {
  it('counts both of its domains, and all who were forgotten, in the last day', async () => {
    const found = await roomAfter(
      [[1, 'a@gmail.com'], [2, 'b@googlemail.com'], [3], [4, 'd@example.com'], [5, 'e@xgmail.com']],
      5,
    )
    expect(found).toEqual({ room: 2, freeAt: now, since: hoursAgo(24) })
  })

  it.each([
    [4, [20, 15, 10, 5], 9],
    [4, [5, 20, 10, 23, 15], 9],
    [5, [20, 15, 10, 5, 1], 14],
    [1, [20], 4],
  ] as const)(
    'of %j, after letters %j hours ago, is half free in %j hours',
    async (most, hours, free) => {
      const told = hours.map((at): [number, string] => [at, 'a@gmail.com'])
      expect(await roomAfter(told, most)).toMatchObject({ room: 0, freeAt: inHours(free) })
    },
  )

  const g = 'g@gmail.com'
  const x = 'x@example.com'
  const first = (email: string) => ({ email, turn: 'first' })
  const again = (email: string) => ({ email, turn: 'again' })
  it.each([
    ['ends before the first one too many', [x, g, g, x, g, x].map(first), 2, 4],
    ['is enough for exactly as many', [g, x, g].map(first), 2, 3],
    ['is used first by those whose letter is tried again', [first(g), again(g), first(g)], 2, 1],
    ['is not used by the others whose letter is tried again', [first(g), again(x), first(g)], 2, 2],
    [
      'is gone where more are tried again than may',
      [x, g].map(first).concat([again(g), again(g)]),
      1,
      1,
    ],
    [
      'is not used by those who get nothing',
      [{ email: g, turn: 'none' }, first(g), first(x)],
      1,
      2,
    ],
    ['may be none', [x, x, g, x].map(first), 0, 2],
  ] as const)('%s', async (_, people, room, may) => {
    async function* stream() {
      yield* people as unknown as Prospect[]
    }
    const untried = people.filter(({ turn }) => turn === 'first').length
    expect(await untilGmailIsFull(stream(), untried, room)).toBe(may)
    expect(await untilGmailIsFull(stream(), 1, room)).toBe(Math.min(1, may))
  })

  it('is not looked for where all whom any announcement reached would find it', async () => {
    const tallies = {
      one: {
        sent: 1,
        uncertain: 2,
        sending: 4,
        forgotten: 8,
        queued: 48,
        untried: 32,
        failed: 999,
      },
      two: { sent: 100, uncertain: 0, sending: 0, forgotten: 0, queued: 5, untried: 5, failed: 0 },
    }
    const store = {
      announcements: async () => [{ id: 'one' }, { id: 'two' }],
      tally: async (id: keyof typeof tallies) => tallies[id],
    } as never
    const all = 31 + 100 + 7
    expect(await isFarBelow(store, 7, all)).toBe(true)
    expect(await isFarBelow(store, 7, all - 1)).toBe(false)
  })
})
