import { describe, expect, it } from 'vitest'
import {
  endAllSessions,
  endSession,
  makeLink,
  openWithLink,
  renewSession,
} from '../../src/desk/access/sessions.ts'
import { deskTokens } from '../../src/keys/desk-tokens.ts'
import type { DeskAccessState } from '../../src/store/desk-access.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { linkKey } from '../fixtures/keys.ts'

describe('the store, as what says who may open the desk', () => {
  eachHasStore()

  const idOf = (path: string) => String(deskTokens(linkKey).idOf('link', path))
  const use = ({ path, secret }: { path: string; secret: string }) =>
    openWithLink(store.desk, linkKey, { linkId: idOf(path), secret, device: 'Firefox on Linux' })
  const sessions = async () => (await store.desk.read()).sessions
  const sessionOf = (token: string) => String(deskTokens(linkKey).idOf('session', token))

  it('gives one session for a link, to whoever of a hundred is first', async () => {
    const link = await makeLink(store.desk, linkKey)
    const uses = await Promise.all(Array.from({ length: 100 }, () => use(link)))
    const outcomes = uses.map(({ outcome }) => outcome)
    expect(outcomes.filter((one) => one === 'opened')).toHaveLength(1)
    expect(outcomes.filter((one) => one === 'used')).toHaveLength(99)
    expect(await sessions()).toMatchObject([{ device: 'Firefox on Linux' }])
  })

  it('has no session after all were ended, whichever links are used meanwhile', async () => {
    const links = await Promise.all(Array.from({ length: 8 }, () => makeLink(store.desk, linkKey)))
    const [early, late, ...others] = links
    if (early) await use(early)
    const uses = others.map((link) => use(link))
    await endAllSessions(store.desk)
    await Promise.all(uses)
    expect(await sessions()).toEqual([])
    // Nor does a link open anything that nobody used before.
    if (late) expect(await use(late)).toEqual({ outcome: 'too-old' })
    for (const link of links) expect((await use(link)).outcome).not.toBe('opened')
  })

  it('does not bring a session back that is renewed as it ends', async () => {
    const opened = await use(await makeLink(store.desk, linkKey))
    const id = opened.outcome === 'opened' ? sessionOf(opened.token) : ''
    await Promise.all([
      renewSession(store.desk, id),
      endSession(store.desk, id),
      renewSession(store.desk, id),
    ])
    expect(await sessions()).toEqual([])
  })

  it('changes nothing for a decision without a state, and hands over its result', async () => {
    await makeLink(store.desk, linkKey)
    const before = await store.desk.read()
    expect(await store.desk.change(({ links }) => ({ result: links.length }))).toBe(1)
    expect(await store.desk.read()).toEqual(before)
  })

  it('throws what a decision throws, and keeps what was', async () => {
    await makeLink(store.desk, linkKey)
    const before = await store.desk.read()
    const fault = new Error('a fault of ours')
    const change = store.desk.change(() => {
      throw fault
    })
    await expect(change).rejects.toBe(fault)
    expect(await store.desk.read()).toEqual(before)
  })

  it('sweeps what is over', async () => {
    const over: DeskAccessState = {
      links: [{ id: 'a', secretHash: 'b', madeAt: 1, until: 2 }],
      sessions: [{ id: 'c', begunAt: 1, usedAt: 1, until: 2, device: 'x' }],
    }
    await store.desk.change(() => ({ result: undefined, state: over }))
    await makeLink(store.desk, linkKey)
    const found = await store.desk.read()
    expect(found.links).toHaveLength(1)
    expect(found.sessions).toEqual([])
  })
})
