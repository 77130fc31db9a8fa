import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type ForgetEverybodyOptions,
  forgetEverybody,
} from '../../../src/cli/commands/forget-everybody.ts'
import { importList } from '../../../src/cli/commands/import.ts'
import type { Store } from '../../../src/store/store.ts'
import { exitCodes } from '../../../src/terminal/exit-codes.ts'
import { emptySqlite } from '../../fixtures/empty-sqlite.ts'
import { enlist } from '../../fixtures/enlist.ts'
import { ids } from '../../fixtures/keys.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tallyOf } from '../../fixtures/tally.ts'
import { people, person } from '../../store/contracts/people.ts'

const shown = { words: 'Be the first', page: 'a1', language: 'en' }

describe('a list, when everybody is to be forgotten', () => {
  let store: Store
  beforeEach(async () => {
    store = await emptySqlite()
    await store.list.importAll(people(5).map((one) => ({ ...one, extra: { firstName: 'Ada' } })))
    await store.list.importAll([{ ...person(7), standing: 'quarantined' }])
    await store.standings.set([{ email: person(0).email, standing: 'unsubscribed' }])
    await store.requests.requestConfirmation('queued@example.com', { shown, isCrowd: false })
    const email = 'asked@example.com'
    const pending = { email, askedAt: new Date(Date.now() - 1000), shown, letters: 1 }
    await store.requests.changePending(ids.of(email), () => ({ result: 0, pending }))
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 60_000)
    await store.ledger.begin('me', 'launch', { subject: 'We are live', digest: 'one' })
    await enlist(store, 'me', 'launch', people(5))
    await store.ledger.countEligible('me', 'launch')
  })

  const endOfRun = () => store.lock.release('me')

  async function forget(
    options: Partial<ForgetEverybodyOptions> = {},
    signal = new AbortController().signal,
  ) {
    const { out, said, result } = listening()
    const code = await forgetEverybody(store, { signal, ...options }, out)
    return { code, said: said.join('\n'), result: result() }
  }

  async function left() {
    const emails: string[] = []
    for await (const { email } of store.list.stream({ standing: 'all' })) emails.push(email)
    for await (const { email } of store.requests.pending()) emails.push(email)
    for await (const { email } of store.ledger.deliveries('launch'))
      if (email !== undefined) emails.push(email)
    return emails
  }

  it('counts them at first, and erases them when their number is given', async () => {
    await endOfRun()
    const { said, result } = await forget()
    expect(said).toContain(
      '7 people would be forgotten. The same command with --yes-count 7 forgets them.',
    )
    expect(result).toContain(person(3).email)
    expect(await store.list.count()).toBe(6)
    await expect(forget({ yesCount: 6 })).rejects.toThrow(
      /^7 .* would be forgotten now, and not 6\./,
    )
    expect(await store.list.count()).toBe(6)

    const done = await forget({ yesCount: 7 })
    expect(done.said).toMatch(
      /^7 people forgotten\. Earlier back-ups .*them\. Announcements keep their numbers/,
    )
    expect(await left()).toEqual([])
    expect((await store.requests.counts()).waiting).toBe(0)
    expect(await tallyOf(store, 'launch')).toMatchObject({ forgotten: 5 })
    expect(await store.lock.holder()).toBeUndefined()
    expect((await forget()).said).toBe('0 people would be forgotten. Nothing was changed.')
  })

  it('finishes what was interrupted half way, and lets no import undo it', async () => {
    await endOfRun()
    const stop = new AbortController()
    const { forgetAll } = store.standings
    const whole = store
    store = {
      ...store,
      standings: {
        ...store.standings,
        async forgetAll(emails) {
          await forgetAll(emails.slice(0, 2))
          throw new Error('killed')
        },
      },
    }
    await expect(forget({ yesCount: 7 }, stop.signal)).rejects.toThrow('killed')
    expect(await whole.lock.holder()).toBeUndefined()
    store = whole
    expect((await forget()).said).toContain('5 people would be forgotten')
    expect((await forget({ yesCount: 5 })).code).toBe(exitCodes.done)
    expect(await left()).toEqual([])
    const { out, result } = listening()
    const file = Readable.from([`email\n${person(1).email}\n`])
    await importList(store, { file, format: 'csv' }, out)
    expect(result()).toContain('was forgotten on request')
  })

  it('refuses while an announcement is under way', async () => {
    await expect(forget({ yesCount: 7 })).rejects.toMatchObject({
      why: { code: 'another-runs', host: 'here' },
    })
    expect(await store.list.count()).toBe(6)
    expect((await store.lock.holder())?.owner).toBe('me')
  })

  it('keeps who signs up while it goes on, whole', async () => {
    await endOfRun()
    const { forgetAll } = store.standings
    const late = 'late@example.com'
    store = {
      ...store,
      standings: {
        ...store.standings,
        async forgetAll(emails) {
          await forgetAll(emails)
          await store.list.add(late, { source: { source: 'hn' } })
        },
      },
    }
    await forget({ yesCount: 7 })
    expect(await left()).toEqual([late])
    expect(await store.standings.of(late)).toBeUndefined()
  })

  it('keeps a hold', async () => {
    await endOfRun()
    const at = new Date('2026-01-01T00:00:00Z')
    await store.hold.begin({ isBelieved: false, since: at })
    expect((await forget({ yesCount: 7 })).said).toContain('Announcements are still held back')
    expect(await left()).toEqual([])
    expect(await store.hold.get()).toMatchObject({ isBelieved: false })
  })
})
