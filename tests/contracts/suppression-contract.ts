import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AddressIds } from '../../src/shared/address-id.ts'
import type { Store } from '../../src/store/store.ts'
import { people, person } from './people.ts'

/**
 * What every store promises to those who do not want to be written to.
 *
 * @param openEmpty opens one that holds nobody. @param ids those that it was opened with.
 */
export function suppressionContract(
  name: string,
  openEmpty: () => Promise<Store>,
  ids: AddressIds,
) {
  describe(`${name}, as every suppression list`, () => {
    let store: Store
    beforeEach(async () => {
      store = await openEmpty()
    })
    afterEach(() => store.close())

    const ada = 'ada@example.com'

    it('knows of nobody at first', async () => {
      expect(await store.suppression(ada)).toBeUndefined()
    })

    it('remembers who unsubscribed, and since when, and keeps the subscriber', async () => {
      await store.add(ada)
      const before = Date.now()
      await store.unsubscribe(ids.of(ada))
      const { reason, at } = (await store.suppression(ada)) ?? {}
      expect(reason).toBe('unsubscribed')
      expect(Number(at)).toBeGreaterThanOrEqual(before)
      expect(await store.count()).toBe(1)
    })

    it('takes a repeat, and the id of nobody, alike', async () => {
      await store.unsubscribe(ids.of(ada))
      const first = await store.suppression(ada)
      await store.unsubscribe(ids.of(ada))
      const second = await store.suppression(ada)
      expect(second?.reason).toBe('unsubscribed')
      expect(Number(second?.at)).toBeGreaterThanOrEqual(Number(first?.at))
    })

    it('welcomes whoever signs up again', async () => {
      await store.add(ada)
      await store.unsubscribe(ids.of(ada))
      await store.add(ada)
      expect(await store.suppression(ada)).toBeUndefined()
      await store.forget(ada)
      await store.add(ada)
      expect(await store.suppression(ada)).toBeUndefined()
      expect(await store.find(ada)).toBeDefined()
    })

    it('welcomes everybody who signs up again at the same moment', async () => {
      const emails = people(5).map(({ email }) => email)
      for (const email of emails) await store.unsubscribe(ids.of(email))
      await Promise.all(emails.map((email) => store.add(email)))
      for (const email of emails) expect(await store.suppression(email), email).toBeUndefined()
    })

    it('suppresses again whoever unsubscribes again', async () => {
      await store.unsubscribe(ids.of(ada))
      await store.add(ada)
      await store.unsubscribe(ids.of(ada))
      expect(await store.suppression(ada)).toMatchObject({ reason: 'unsubscribed' })
    })

    it('forgets a subscriber, and says what it found', async () => {
      await store.importAll(people(3))
      expect(await store.forget(person(2).email)).toEqual({ wasSubscriber: true, deliveries: 0 })
      expect(await store.forget(person(2).email)).toEqual({ wasSubscriber: false, deliveries: 0 })
      expect(await store.find(person(2).email)).toBeUndefined()
      expect(await store.count()).toBe(2)
      expect(await store.suppression(person(2).email)).toMatchObject({ reason: 'forgotten' })
    })

    it('lets no import bring back whoever was forgotten, were they here or not', async () => {
      await store.importAll([person(1)])
      await store.forget(person(1).email)
      await store.forget(person(2).email)
      expect(await store.importAll(people(3))).toEqual(['forgotten', 'forgotten', 'added'])
      expect(await store.count()).toBe(1)
    })

    it('stays unsubscribed through an import', async () => {
      await store.importAll([person(1)])
      await store.unsubscribe(ids.of(person(1).email))
      expect(await store.importAll([person(1)])).toEqual(['known'])
      expect(await store.suppression(person(1).email)).toMatchObject({ reason: 'unsubscribed' })
    })

    it('stays unsubscribed through an import that is newer, which is no act of its owner', async () => {
      await store.unsubscribe(ids.of(ada))
      const later = new Date(Date.now() + 60_000)
      expect(await store.importAll([{ email: ada, subscribedAt: later }])).toEqual(['added'])
      expect(await store.suppression(ada)).toMatchObject({ reason: 'unsubscribed' })
    })

    it('stays forgotten when an old link is pressed', async () => {
      await store.forget(ada)
      await store.unsubscribe(ids.of(ada))
      expect(await store.importAll([{ email: ada, subscribedAt: new Date(0) }])).toEqual([
        'forgotten',
      ])
    })
  })
}
