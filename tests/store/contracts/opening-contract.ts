import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Opening } from '../../../src/store/opening.ts'
import type { Store } from '../../../src/store/store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'

/** What every store promises about the opening. @param openEmpty opens one where none was ever set. */
export function openingContract(name: string, openEmpty: () => Promise<Store>) {
  describe(`${name}, as every keeper of the opening`, () => {
    let store: Store
    beforeEach(async () => {
      store = await openEmpty()
    })
    afterEach(() => store.close())

    const at = new Date('2027-01-12T08:00:00.000Z')
    const later = new Date('2027-01-12T08:00:00.250Z')
    const planned: Opening = {
      ...{ url: 'https://app.example.com/?a=1&b=2', at, zone: 'Europe/Berlin' },
      openedAt: undefined,
    }

    it('knows of none at first', async () => {
      expect(await store.opening()).toBeUndefined()
      expect(await store.undoOpening()).toBeUndefined()
    })

    it('gives back what was set last, and says what that replaced', async () => {
      expect(await store.setOpening(planned)).toBeUndefined()
      expect(await store.opening()).toEqual(planned)
      const other = { url: 'https://example.com/', at: later, zone: 'UTC', openedAt: later }
      expect(await store.setOpening(other)).toEqual(planned)
      expect(await store.opening()).toEqual(other)
    })

    it('keeps since when it was open, and the first time of several', async () => {
      await store.setOpening(planned)
      await store.noteOpened(planned, later)
      await store.noteOpened(planned, new Date('2027-01-13T00:00:00Z'))
      expect(await store.opening()).toEqual({ ...planned, openedAt: later })
    })

    it('does not take one opening for another, nor one that was undone', async () => {
      await store.setOpening({ ...planned, at: later })
      await store.noteOpened(planned, later)
      await store.setOpening({ ...planned, url: 'https://example.com/' })
      await store.noteOpened(planned, later)
      expect(await store.opening()).toMatchObject({ openedAt: undefined })
      await store.undoOpening()
      await store.noteOpened({ ...planned, url: 'https://example.com/' }, later)
      expect(await store.opening()).toBeUndefined()
    })

    it('says what was undone, and can be set again', async () => {
      await store.setOpening(planned)
      expect(await store.undoOpening()).toEqual(planned)
      expect(await store.opening()).toBeUndefined()
      expect(await store.undoOpening()).toBeUndefined()
      await store.setOpening(planned)
      expect(await store.opening()).toEqual(planned)
    })

    it('takes over that of a copy only where none was ever set', async () => {
      expect(await store.restoreOpening(planned)).toBe(true)
      expect(await store.opening()).toEqual(planned)
      expect(await store.restoreOpening({ ...planned, at: later })).toBe(false)
      await store.undoOpening()
      expect(await store.restoreOpening(planned)).toBe(false)
      expect(await store.opening()).toBeUndefined()
    })

    it('says of a change by itself, or is cheap to ask', async () => {
      await store.opening()
      let changes = 0
      const end = store.onOpeningChange(() => {
        changes += 1
      })
      if (store.lookEveryMs > 1000) {
        // What is there is said at first.
        await expect.poll(() => changes, { timeout: 10_000 }).toBeGreaterThan(0)
        const before = changes
        await store.setOpening(planned)
        await expect.poll(() => changes, { timeout: 10_000 }).toBeGreaterThan(before)
      }
      expect(store.lookEveryMs).toBeLessThanOrEqual(changes > 0 ? 60_000 : 500)
      end()
    })

    it('refuses everything once it is closed', async () => {
      await store.close()
      await expect(store.opening()).rejects.toThrow(StoreUnavailable)
      await expect(store.setOpening(planned)).rejects.toThrow(StoreUnavailable)
    })
  })
}
