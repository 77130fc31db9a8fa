import { describe, expect, it } from 'vitest'
import { type Opening, openingIn } from '../../src/store/opening.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'

describe('the store, as the keeper of the opening', () => {
  eachHasStore()

  const at = new Date('2027-01-12T08:00:00.000Z')
  const later = new Date('2027-01-12T08:00:00.250Z')
  const planned: Opening = {
    url: 'https://app.example.com/?a=1&b=2',
    at,
    zone: 'Europe/Berlin',
    openedAt: undefined,
  }

  it('gives back what was set last, and says what that replaced', async () => {
    expect(await store.opening.set(planned)).toBeUndefined()
    expect(await store.opening.get()).toEqual(planned)
    const other = { url: 'https://example.com/', at: later, zone: 'UTC', openedAt: later }
    expect(await store.opening.set(other)).toEqual(planned)
    expect(await store.opening.get()).toEqual(other)
  })

  it('keeps since when it was open, and the first time of several', async () => {
    await store.opening.set(planned)
    await store.opening.noteOpened(planned, later)
    await store.opening.noteOpened(planned, new Date('2027-01-13T00:00:00Z'))
    expect(await store.opening.get()).toEqual({ ...planned, openedAt: later })
  })

  it('does not take one opening for another, nor one that was undone', async () => {
    await store.opening.set({ ...planned, at: later })
    await store.opening.noteOpened(planned, later)
    await store.opening.set({ ...planned, url: 'https://example.com/' })
    await store.opening.noteOpened(planned, later)
    expect(await store.opening.get()).toMatchObject({ openedAt: undefined })
    expect(await store.opening.undo()).toMatchObject({ url: 'https://example.com/' })
    expect(await store.opening.undo()).toBeUndefined()
    await store.opening.noteOpened({ ...planned, url: 'https://example.com/' }, later)
    expect(await store.opening.get()).toBeUndefined()
  })
})

describe('a stored opening', () => {
  const [at, inAYear] = ['2026-05-01T10:00:00.000Z', '2027-05-01T10:00:00.000Z']
  const url = 'https://app.example.com/'
  const row = { url, at, zone: 'Europe/Berlin' }

  it('is an address, a time and a zone, and since when it was open', () => {
    const opening = { url, at: new Date(at), zone: 'Europe/Berlin', openedAt: undefined }
    expect(openingIn(row)).toEqual(opening)
    expect(openingIn({ ...row, openedAt: at })).toEqual({ ...opening, openedAt: new Date(at) })
    expect(openingIn({ ...row, at: inAYear })?.at).toEqual(new Date(inAYear))
  })

  it.each([
    ...[{ url: 'javascript:alert(1)' }, { url: 'http://evil.example/' }, { url: null }],
    // Not as we write it.
    ...[{ url: 'https://app.example.com' }, { at: 'soon' }, { at: null }, { openedAt: 'soon' }],
    ...[{ zone: 'CET' }, { zone: null }, { zone: '../../etc' }, { openedAt: 5 }],
  ])('is none with %j', (wrong) => {
    expect(openingIn({ ...row, ...wrong })).toBeUndefined()
  })
})
