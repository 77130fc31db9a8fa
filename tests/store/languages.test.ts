import { describe, expect, it } from 'vitest'
import { languageIn } from '../../src/people/known-fields.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { enlist } from '../fixtures/enlist.ts'
import { ids } from '../fixtures/keys.ts'
import { mergeCopy } from '../fixtures/merged-copy.ts'

const HOUR = 3_600_000
const visitor = 'visitor@example.com'

describe('the store, of languages', () => {
  eachHasStore()

  const keptOf = (email: string) =>
    store.requests.changePending(ids.of(email), ({ language: result }) => ({ result }))
  /** A store may keep a language a moment after the sign-up. */
  const languageOf = (email: string) => expect.poll(() => keptOf(email))
  const speak = (email: string, language: string) => store.list.add(email, { fields: { language } })

  it('keeps the language of a new address beside its record', async () => {
    await speak(visitor, 'ar')
    await languageOf(visitor).toBe('ar')
    expect(Object.keys((await store.list.find(visitor)) ?? {})).toEqual(['email', 'subscribedAt'])
    const seen = []
    for await (const { email, extra } of store.list.stream())
      seen.push({ email, language: languageIn(extra) })
    expect(seen).toEqual([{ email: visitor, language: 'ar' }])
  })

  it('gives the language with who is to be sent a letter, and keeps that of the letter', async () => {
    await speak(visitor, 'ar')
    await languageOf(visitor).toBe('ar')
    const found = await store.list.find(visitor)
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, HOUR)
    await store.ledger.begin('me', 'launch', { subject: 'We are live', digest: 'one' })
    await enlist(store, 'me', 'launch', found ? [found] : [])
    const [claimed] = await store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' })
    expect(claimed).toMatchObject({ email: visitor, language: 'ar' })
    const { number = 0, tries = 0 } = claimed ?? {}
    expect(await store.ledger.deliveriesTo(visitor)).not.toMatchObject([{ language: 'ar' }])
    await store.ledger.record('me', 'launch', [
      { number, tries, status: 'sent', answer: '250 ok', language: 'ar' },
    ])
    expect(await store.ledger.deliveriesTo(visitor)).toMatchObject([
      { status: 'sent', language: 'ar' },
    ])
    await store.standings.forget(visitor)
    const rows: unknown[] = []
    for await (const row of store.ledger.deliveries('launch')) rows.push(row)
    expect(rows).toMatchObject([{ status: 'forgotten' }])
    expect(rows).not.toMatchObject([{ language: 'ar' }])
  })

  it('gives the first name that a file brought, until the address is forgotten', async () => {
    const firstNameOf = (email: string) =>
      store.requests.changePending(ids.of(email), ({ firstName: result }) => ({ result }))
    const subscribedAt = new Date('2026-01-01T00:00:00Z')
    const named = (firstName: string) => [{ email: visitor, subscribedAt, extra: { firstName } }]
    await store.list.importAll(named('Ada'))
    await store.list.importAll(named('Eve'))
    expect(await firstNameOf(visitor)).toBe('Ada')
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, HOUR)
    await store.ledger.begin('me', 'launch', { subject: 'We are live', digest: 'one' })
    await enlist(store, 'me', 'launch', [{ email: visitor }])
    const claimed = await store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' })
    expect(claimed).toMatchObject([{ email: visitor, firstName: 'Ada' }])
    await store.standings.forget(visitor)
    expect(await firstNameOf(visitor)).toBeUndefined()
    await store.list.importAll(named('Ada'))
    expect(await firstNameOf(visitor)).toBeUndefined()
  })

  it('takes the language of a delivery over from a copy', async () => {
    const row = { number: 1, addressId: ids.of(visitor), status: 'sent' } as const
    const at = new Date('2026-01-01T00:00:00Z')
    const common = { tries: 1, changedAt: at, answer: undefined }
    await store.list.importAll([{ email: visitor, subscribedAt: at }])
    const deliveries = [{ ...row, ...common, language: 'ar' }]
    await mergeCopy(store, { announcement: { id: 'launch', begunAt: at }, deliveries })
    expect(await store.ledger.deliveriesTo(visitor)).toMatchObject([{ language: 'ar' }])
  })
})
