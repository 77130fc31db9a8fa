import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseEmail } from '../../../src/shared/email.ts'
import { probeAddress } from '../../../src/shared/probe-address.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import type { MemoryStore } from '../../fixtures/memory-store.ts'
import { emailCases } from '../../shared/email-cases.ts'

/**
 * What every store promises.
 *
 * @param openEmpty opens a store that holds nobody. @param crowd how many addresses come at once, each twice.
 */
export function storeContract(name: string, openEmpty: () => Promise<MemoryStore>, crowd = 500) {
  describe(`${name}, as every store`, () => {
    let store: MemoryStore
    beforeEach(async () => {
      store = await openEmpty()
    })
    afterEach(() => store.close())

    it('holds nobody at first', async () => {
      expect(await store.list.count()).toBe(0)
      expect(await store.list.find('visitor@example.com')).toBeUndefined()
    })

    it('finds who was added, since the time it happened', async () => {
      const before = Date.now()
      await store.list.add('visitor@example.com')
      const found = await store.list.find('visitor@example.com')
      expect(found?.email).toBe('visitor@example.com')
      expect(found?.subscribedAt.getTime()).toBeGreaterThanOrEqual(before)
      expect(found?.subscribedAt.getTime()).toBeLessThanOrEqual(Date.now())
    })

    it('counts an address once, at its first time, however often it comes', async () => {
      await store.list.add('visitor@example.com')
      const first = await store.list.find('visitor@example.com')
      await Promise.all(Array.from({ length: 10 }, () => store.list.add('visitor@example.com')))
      expect(await store.list.count()).toBe(1)
      expect(await store.list.find('visitor@example.com')).toEqual(first)
    })

    it('keeps everybody who comes at once', async () => {
      const emails = Array.from({ length: crowd }, (_, i) => `visitor${i}@example.com`)
      await Promise.all([...emails, ...emails].map((email) => store.list.add(email)))
      expect(await store.list.count()).toBe(crowd)
      for (const email of emails) expect(await store.list.find(email)).toMatchObject({ email })
    })

    it('keeps every address of the e-mail rule, letter for letter', async () => {
      const emails = new Set(emailCases.flatMap(({ input }) => parseEmail(input) ?? []))
      for (const email of emails) await store.list.add(email)
      expect(await store.list.count()).toBe(emails.size)
      for (const email of emails) expect(await store.list.find(email)).toMatchObject({ email })
    })

    it('takes what a check of the site left for nobody', async () => {
      const email = probeAddress()
      await store.list.add(email)
      expect(await store.list.count()).toBe(0)
      expect(await store.list.find(email)).toBeUndefined()
    })

    it('says that it can be written to, and adds nobody by that', async () => {
      await store.checkWritable()
      expect(await store.list.count()).toBe(0)
    })

    it('finishes what is under way before it closes', async () => {
      const added = store.list.add('visitor@example.com')
      await store.close()
      await expect(added).resolves.toBeUndefined()
    })

    it('refuses everything once it is closed, and may be closed again', async () => {
      await store.close()
      await expect(store.list.add('visitor@example.com')).rejects.toThrow(StoreUnavailable)
      await expect(store.list.find('visitor@example.com')).rejects.toThrow(StoreUnavailable)
      await expect(store.list.count()).rejects.toThrow(StoreUnavailable)
      await expect(store.checkWritable()).rejects.toThrow(StoreUnavailable)
    })
  })
}
