import { expect, it } from 'vitest'
import { candidates } from '../../src/announcement/who-is-told.ts'
import type { LetterTo, Recipient } from '../../src/store/delivery-ledger.ts'
import type { DeliveryLedger } from '../../src/store/store.ts'

/** Somebody who came on the list, with what became of their letters. */
type Came = Partial<Omit<Recipient, 'letters'>> & {
  readonly launch?: Partial<LetterTo>
  readonly earlier?: Partial<LetterTo>
}

/** Who of those gets the letter now, who came in this order. */
async function getsIt(...came: (string | [email: string, more: Came])[]): Promise<string[]> {
  const changedAt = new Date(0).toISOString()
  const people = came.map((one, i): Recipient => {
    const [email, { launch, earlier, ...more } = {}] = typeof one === 'string' ? [one] : one
    const letters = Object.entries({ launch, earlier }).flatMap(([announcement, row]) =>
      row ? [{ announcement, status: 'sent' as const, tries: 1, changedAt, ...row }] : [],
    )
    const at = new Date(1000 + i)
    return { number: i + 1, email, subscribedAt: at, standing: 'subscribed', letters, ...more }
  })
  const ledger = {
    async *everybody() {
      yield people
    },
    announcements: async () => ['launch', 'earlier'].map((id) => ({ id, begunAt: new Date(0) })),
  } as unknown as DeliveryLedger
  const found: string[] = []
  for await (const page of candidates(ledger, 'launch', {}, {}))
    for (const { email, leftOut, standing, row, wasLeftOutAs } of page)
      if (!leftOut && standing === 'subscribed' && (!row || wasLeftOutAs)) found.push(email)
  return found
}

const tags = Array.from({ length: 40 }, (_, n) => `v.ictim+${n}@gmail.com`)
const three = tags.slice(0, 3)
const own = 'victim@gmail.com'
const all = (emails: readonly string[], more: Came) =>
  emails.map((email): [string, Came] => [email, more])

it('a mailbox gets three letters, those of who came first', async () => {
  expect(await getsIt(...tags, 'ada@example.com')).toEqual([...three, 'ada@example.com'])
})

it('its first is at the address without a tag, however late that signed up', async () => {
  expect(await getsIt(...tags, own)).toEqual([...tags.slice(0, 2), own])
  expect(await getsIt(own, ...tags)).toEqual([own, ...tags.slice(0, 2)])
  const plain = ['vi.ctim', 'vic.tim', 'vict.im', 'victi.m'].map((name) => `${name}@gmail.com`)
  expect(await getsIt(...tags, ...plain)).toEqual(plain.slice(0, 3))
})

it('its first is at the plain address, whatever a stranger wrote in quotes or at domains where it may not be', async () => {
  const owners = ['ada@corp.example', 'ada@protonmail.com', 'ada@icloud.com']
  const quoted = [
    ...['"ada"@corp.example', String.raw`"\ada"@corp.example`, String.raw`"a\da"@corp.example`],
    '"ada"@icloud.com',
  ]
  const hosts = ['proton.me', 'pm.me', 'protonmail.ch', 'me.com', 'mac.com']
  const found = await getsIt(...quoted, ...hosts.map((host) => `ada@${host}`), ...owners)
  expect(owners.filter((email) => !found.includes(email))).toEqual([])
})

it('letters that left count, and one that was refused is none', async () => {
  const sent = all(tags.slice(10, 11), { launch: {} })
  expect(await getsIt(...sent, ...tags.slice(11, 14))).toEqual(tags.slice(11, 13))
  expect(await getsIt(...all(three, { launch: {} }), ...tags.slice(3))).toEqual([])
  const failed = all(three, { launch: { status: 'failed' } })
  const late = [tags[5] ?? '', { launch: { status: 'suppressed', standing: 'mailbox' } }] as const
  expect(await getsIt(...failed, [...late])).toEqual([tags[5]])
})

it('the address without a tag gets one more where it came after three with one were told', async () => {
  expect(await getsIt(...all(three, { launch: {} }), tags[4] ?? '', own)).toEqual([own])
})

it('no place is kept for who is not written to, or got an earlier announcement', async () => {
  const others = tags.slice(3, 6)
  expect(await getsIt(...all(three, { standing: 'bounced' }), ...others)).toEqual(others)
  expect(await getsIt([own, { standing: 'bounced' }], ...tags)).toEqual(three)
  const left = {
    standing: 'bounced',
    launch: { status: 'suppressed', standing: 'bounced' },
  } as const
  expect(await getsIt(...all(three, left), ...others)).toEqual(others)
  expect(await getsIt([own, { earlier: {} }], ...tags.slice(0, 4))).toEqual(three)
})
