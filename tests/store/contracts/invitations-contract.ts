import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AddressIds } from '../../../src/keys/address-id.ts'
import { AnotherKey, type Invitation } from '../../../src/store/invitations.ts'
import type { Store } from '../../../src/store/store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'

/** What every store promises about invitations. @param openEmpty opens one that holds nobody. */
export function invitationsContract(
  name: string,
  openEmpty: () => Promise<Store>,
  ids: AddressIds,
) {
  describe(`${name}, as every keeper of invitations`, () => {
    let store: Store
    beforeEach(async () => {
      store = await openEmpty()
    })
    afterEach(() => store.close())

    const day = (number: number) => new Date(Date.UTC(2027, 0, number, 9, 30))
    const idOf = (number: number) => `invitation-${String(number).padStart(11, '0')}`
    const invited = (email: string, number = 1): Invitation => ({
      id: idOf(number),
      announcement: 'ready',
      addressId: ids.of(email),
      email,
      issuedAt: day(1),
      expiresAt: day(31),
    })
    const ada = invited('ada@example.com')
    const key = 'A'.repeat(43)
    const all = async () => {
      const found: Invitation[] = []
      for await (const one of store.invitations.stream()) found.push(one)
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    }

    it('knows of none at first', async () => {
      expect(await all()).toEqual([])
      expect(await store.invitations.to(ada.addressId)).toEqual([])
      expect(await store.invitations.end(ada.id, 'redeemed')).toBe('unknown')
      expect(await store.invitations.key()).toBeUndefined()
    })

    it('keeps an invitation as it was first noted, however often its letter is tried', async () => {
      expect(await store.invitations.issue(ada, day(16), key)).toEqual(ada)
      const again = { ...ada, issuedAt: day(2), expiresAt: day(32) }
      expect(await store.invitations.issue(again, day(17), key)).toEqual(ada)
      expect(await all()).toEqual([ada])
    })

    it('moves the end of one that has too little time left, and of no other', async () => {
      await store.invitations.issue(ada, day(16), key)
      const late = { ...ada, issuedAt: day(20), expiresAt: day(50) }
      expect(await store.invitations.issue(late, day(35), key)).toEqual({
        ...ada,
        expiresAt: day(50),
      })
      expect(await all()).toEqual([{ ...ada, expiresAt: day(50) }])
      await store.invitations.end(ada.id, 'revoked')
      const [ended] = await all()
      expect(await store.invitations.issue({ ...late, expiresAt: day(90) }, day(80), key)).toEqual(
        ended,
      )
    })

    it('lists each once, also many, and those of an address by themselves', async () => {
      const many = Array.from({ length: 230 }, (_, i) => invited(`person${i}@example.com`, i))
      for (let i = 0; i < many.length; i += 23)
        await Promise.all(
          many.slice(i, i + 23).map((one) => store.invitations.issue(one, day(2), key)),
        )
      const second = { ...invited('person7@example.com', 999), announcement: 'a-second' }
      await store.invitations.issue({ ...second, issuedAt: day(3) }, day(4), key)
      expect((await all()).map(({ id }) => id)).toEqual([...many, second].map(({ id }) => id))
      const theirs = await store.invitations.to(ids.of('person7@example.com'))
      expect(theirs.map(({ announcement }) => announcement)).toEqual(['ready', 'a-second'])
    })

    it('is redeemed by exactly one of a hundred who ask at once', async () => {
      await store.invitations.issue(ada, day(2), key)
      await store.invitations.issue(invited('bob@example.com', 2), day(2), key)
      const ask = () => store.invitations.end(ada.id, 'redeemed')
      const answers = await Promise.all(Array.from({ length: 100 }, ask))
      expect(answers.filter((one) => one === 'ended')).toHaveLength(1)
      expect(answers.filter((one) => one === 'redeemed')).toHaveLength(99)
      const [first, second] = await all()
      expect(first?.ended).toEqual({ as: 'redeemed', at: expect.any(Date) })
      expect(second?.ended).toBeUndefined()
    })

    it('is either redeemed or revoked, and stays so', async () => {
      await store.invitations.issue(ada, day(2), key)
      const acts = ['redeemed', 'revoked', 'redeemed', 'revoked'] as const
      const answers = await Promise.all(acts.map((as) => store.invitations.end(ada.id, as)))
      expect(answers.filter((one) => one === 'ended')).toHaveLength(1)
      const as = (await all())[0]?.ended?.as
      expect(answers.filter((one) => one === as)).toHaveLength(3)
    })

    it('erases what it knows of an address that is forgotten, and notes nothing more of it', async () => {
      await store.list.add(ada.email)
      await store.invitations.issue(ada, day(2), key)
      await store.invitations.issue(invited('bob@example.com', 2), day(2), key)
      await store.invitations.end(ada.id, 'redeemed')
      await store.standings.forget(ada.email)
      expect((await all()).map(({ email }) => email)).toEqual(['bob@example.com'])
      expect(await store.invitations.end(ada.id, 'redeemed')).toBe('unknown')
      // A letter that was on its way.
      expect(await store.invitations.issue(ada, day(2), key)).toBeUndefined()
      await store.restore.invitations([ada])
      expect(await store.invitations.to(ada.addressId)).toEqual([])
      await store.standings.forgetAll(['bob@example.com'])
      expect(await all()).toEqual([])
    })

    it('remembers the key, and the last one of several', async () => {
      await store.invitations.setKey('A'.repeat(43))
      await store.invitations.setKey('B'.repeat(43))
      expect(await store.invitations.key()).toBe('B'.repeat(43))
    })

    it('notes none, and moves no end, for a code that would be signed with another key', async () => {
      await store.invitations.setKey(key)
      await store.invitations.issue(ada, day(2), key)
      await store.invitations.setKey('B'.repeat(43))
      const late = { ...ada, expiresAt: day(90) }
      for (const one of [late, invited('bob@example.com', 2)])
        await expect(store.invitations.issue(one, day(80), key)).rejects.toThrow(AnotherKey)
      expect(await all()).toEqual([ada])
      expect(await store.invitations.issue(late, day(80), 'B'.repeat(43))).toEqual(late)
    })

    it('takes over those of a copy, and lets no end be undone by it', async () => {
      const redeemed = { as: 'redeemed', at: day(3) } as const
      const bob = { ...invited('bob@example.com', 2), ended: redeemed }
      await store.invitations.issue(ada, day(2), key)
      await store.invitations.end(ada.id, 'revoked')
      await store.invitations.issue(invited('eve@example.com', 3), day(2), key)
      const eve = { ...invited('eve@example.com', 3), ended: redeemed }
      for (let twice = 0; twice < 2; twice += 1) {
        await store.restore.invitations([ada, bob, eve], 'A'.repeat(43))
        const found = await all()
        expect(found.map(({ ended }) => ended?.as)).toEqual(['revoked', 'redeemed', 'redeemed'])
        expect(found.slice(1)).toEqual([bob, eve])
      }
      expect(await store.invitations.key()).toBe('A'.repeat(43))
      await store.restore.invitations([], 'B'.repeat(43))
      expect(await store.invitations.key()).toBe('A'.repeat(43))
    })

    it('refuses everything once it is closed', async () => {
      await store.close()
      await expect(store.invitations.issue(ada, day(2), key)).rejects.toThrow(StoreUnavailable)
      await expect(store.invitations.end(ada.id, 'redeemed')).rejects.toThrow(StoreUnavailable)
    })
  })
}
