import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { Timestamp } from '@google-cloud/firestore'
import { expect, it } from 'vitest'
import { inOrderOfSignUp } from '../../../src/store/firestore/sign-up-order.ts'

/** Many who came in another order than that of their addresses. */
async function* crowd(count: number) {
  const beyond = { standing: 'subscribed' } as const
  for (let i = 0; i < count; i++) {
    const at = new Timestamp(((i * 7919) % count) + 1, 999_000)
    yield { record: { email: `${i}@example.com`, at, last: undefined }, beyond }
  }
}

/** Files without a name that this process has open. */
function namelessFiles(): number[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target.endsWith('(deleted)') ? statSync(`/proc/self/fd/${fd}`).mode & 0o777 : []
    } catch {
      return []
    }
  })
}

it('sorts more than memory is given to, in a file that has no name and is for its owner only', {
  tags: 'thorough',
}, async (context) => {
  if (process.platform !== 'linux') return context.skip('looks into /proc')
  const before = namelessFiles()
  let last = 0
  let count = 0
  for await (const { subscribedAt } of inOrderOfSignUp(crowd(200_000))) {
    expect(subscribedAt.getTime()).toBeGreaterThan(last)
    last = subscribedAt.getTime()
    count += 1
    if (count !== 1000) continue
    const open = namelessFiles()
    expect(open.length).toBeGreaterThan(before.length)
    expect(new Set(open.slice(before.length))).toEqual(new Set([0o600]))
  }
  expect(count).toBe(200_000)
  expect(namelessFiles()).toEqual(before)
})

it('lets go of it when nobody wants the rest', async (context) => {
  if (process.platform !== 'linux') return context.skip('looks into /proc')
  const before = namelessFiles()
  for await (const { email } of inOrderOfSignUp(crowd(100_000))) if (email) break
  expect(namelessFiles()).toEqual(before)
})
