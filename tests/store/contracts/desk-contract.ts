import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deskTokens } from '../../../src/keys/desk-tokens.ts'
import {
  endAllSessions,
  endSession,
  makeLink,
  openSessions,
  openWithLink,
  renewSession,
} from '../../../src/operator/desk/access.ts'
import type { DeskAccessState } from '../../../src/store/desk-access.ts'
import type { Store } from '../../../src/store/store.ts'
import { linkKey } from '../../fixtures/keys.ts'

/** What every store promises of who may open the desk. @param openEmpty opens one that holds nobody. */
export function deskContract(name: string, openEmpty: () => Promise<Store>) {
  describe(`${name}, as what says who may open the desk`, () => {
    let store: Store
    beforeEach(async () => {
      store = await openEmpty()
    })
    afterEach(() => store.close())

    const idOf = (path: string) => String(deskTokens(linkKey).idOf('link', path))
    const use = ({ path, secret }: { path: string; secret: string }) =>
      openWithLink(store, linkKey, { linkId: idOf(path), secret, device: 'Firefox on Linux' })
    const sessionOf = (token: string) => String(deskTokens(linkKey).idOf('session', token))

    it('knows nobody at first', async () => {
      expect(await store.deskAccess()).toEqual({
        ...{ links: [], sessions: [], passkeys: [], challenges: [] },
      })
    })

    it('gives one session for a link, to whoever of a hundred is first', async () => {
      const link = await makeLink(store, linkKey)
      const uses = await Promise.all(Array.from({ length: 100 }, () => use(link)))
      const outcomes = uses.map(({ outcome }) => outcome)
      expect(outcomes.filter((one) => one === 'opened')).toHaveLength(1)
      expect(outcomes.filter((one) => one === 'used')).toHaveLength(99)
      expect(await openSessions(store)).toMatchObject([{ by: 'link', device: 'Firefox on Linux' }])
    })

    it('keeps what nobody else changes: links that are made at once are all there', async () => {
      const links = await Promise.all(Array.from({ length: 10 }, () => makeLink(store, linkKey)))
      for (const link of links) expect(await use(link)).toMatchObject({ outcome: 'opened' })
      expect(await openSessions(store)).toHaveLength(10)
    })

    it('has no session after all were ended, whichever links are used meanwhile', async () => {
      const links = await Promise.all(Array.from({ length: 8 }, () => makeLink(store, linkKey)))
      const [early, late, ...others] = links
      if (early) await use(early)
      const uses = others.map((link) => use(link))
      await endAllSessions(store)
      await Promise.all(uses)
      expect(await openSessions(store)).toEqual([])
      // Nor does a link open anything that nobody used before.
      if (late) expect(await use(late)).toEqual({ outcome: 'too-old' })
      for (const link of links) expect((await use(link)).outcome).not.toBe('opened')
    })

    it('does not bring a session back that is renewed as it ends', async () => {
      const opened = await use(await makeLink(store, linkKey))
      const id = opened.outcome === 'opened' ? sessionOf(opened.token) : ''
      await Promise.all([renewSession(store, id), endSession(store, id), renewSession(store, id)])
      expect(await openSessions(store)).toEqual([])
    })

    it('changes nothing for a decision without a state, and hands over its result', async () => {
      await makeLink(store, linkKey)
      const before = await store.deskAccess()
      expect(await store.changeDeskAccess(({ links }) => ({ result: links.length }))).toBe(1)
      expect(await store.deskAccess()).toEqual(before)
    })

    it('throws what a decision throws, and keeps what was', async () => {
      await makeLink(store, linkKey)
      const before = await store.deskAccess()
      const fault = new Error('a fault of ours')
      const change = store.changeDeskAccess(() => {
        throw fault
      })
      await expect(change).rejects.toBe(fault)
      expect(await store.deskAccess()).toEqual(before)
    })

    it('sweeps what is over, and never passkeys', async () => {
      const over: DeskAccessState = {
        links: [{ id: 'a', secretHash: 'b', madeAt: 1, until: 2 }],
        sessions: [{ ...{ id: 'c', begunAt: 1, usedAt: 1, until: 2 }, by: 'link', device: 'x' }],
        passkeys: [
          {
            ...{ id: 'd', publicKey: 'e', counter: 0, transports: [], name: 'y', addedAt: 1 },
            deviceId: 'f',
          },
        ],
        challenges: [{ challenge: 'g', until: 2, for: { device: 'f' } }],
      }
      await store.changeDeskAccess(() => ({ result: undefined, state: over }))
      expect(await openSessions(store)).toEqual([])
      await makeLink(store, linkKey)
      const found = await store.deskAccess()
      expect(found.links).toHaveLength(1)
      expect(found).toMatchObject({ sessions: [], passkeys: over.passkeys, challenges: [] })
    })

    it('does not grow without end', async () => {
      for (let i = 0; i < 25; i += 1) await makeLink(store, linkKey)
      expect((await store.deskAccess()).links.length).toBeLessThanOrEqual(20)
    })
  })
}
