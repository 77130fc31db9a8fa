import { describe, expect, it } from 'vitest'
import { openWithPasskey, passkeyToShow } from '../../src/desk/access/passkeys.ts'
import {
  endAccess,
  endAllSessions,
  makeLink,
  openWithLink,
  renewSession,
} from '../../src/desk/access/sessions.ts'
import { deskTokens } from '../../src/keys/desk-tokens.ts'
import type { DeskAccessState } from '../../src/store/desk-access.ts'
import type { DeskAccess } from '../../src/store/store.ts'
import { authenticator } from '../fixtures/authenticator.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { linkKey } from '../fixtures/keys.ts'

const place = { origin: 'http://localhost:3000', host: 'localhost' }

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
    expect(await sessions()).toMatchObject([{ by: 'link', device: 'Firefox on Linux' }])
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
      endAccess(store.desk, id),
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

  it('sweeps what is over, and never passkeys', async () => {
    const over: DeskAccessState = {
      links: [{ id: 'a', secretHash: 'b', madeAt: 1, until: 2 }],
      sessions: [{ id: 'c', begunAt: 1, usedAt: 1, until: 2, by: 'link', device: 'x' }],
      passkeys: [
        {
          id: 'd',
          publicKey: 'e',
          counter: 0,
          transports: [],
          name: 'y',
          addedAt: 1,
          deviceId: 'f',
        },
      ],
      challenges: [{ challenge: 'g', until: 2, for: { device: 'f' } }],
    }
    await store.desk.change(() => ({ result: undefined, state: over }))
    await makeLink(store.desk, linkKey)
    const found = await store.desk.read()
    expect(found.links).toHaveLength(1)
    expect(found).toMatchObject({ sessions: [], passkeys: over.passkeys, challenges: [] })
  })

  /** A device with a passkey that signed as often as its counter says. */
  async function device(name: string, counter = 0) {
    const key = authenticator(place)
    await store.desk.change((found) => ({
      result: undefined,
      state: { ...found, passkeys: [...found.passkeys, key.passkey(name, counter)] },
    }))
    const challenge = async () => (await passkeyToShow(store.desk, place, name)).challenge
    const answer = async (signed: number) => key.answer(await challenge(), signed)
    const signIn = async (signed: number, access: DeskAccess = store.desk) =>
      openWithPasskey(access, linkKey, place, {
        device: name,
        answer: await answer(signed),
        called: 'Chrome on Android',
      })
    const counterNow = async () =>
      (await store.desk.read()).passkeys.find(({ deviceId }) => deviceId === name)?.counter
    return { signIn, counterNow, challenge }
  }

  it('takes the higher counter of two sign-ins at once, and lets the lower one in no more', async () => {
    const { signIn, counterNow } = await device('phone', 3)
    let goOn = () => {}
    const other = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let changes = 0
    // Both are verified against the same counter; the lower one is written last.
    const slow: DeskAccess = {
      read: () => store.desk.read(),
      change: async (decide) => {
        changes += 1
        if (changes === 2) {
          goOn()
          await higher
        }
        return store.desk.change(decide)
      },
    }
    const higher = other.then(() => signIn(9))
    expect(await signIn(8, slow)).toBeUndefined()
    expect(await higher).toBeDefined()
    expect(await counterNow()).toBe(9)
    expect(await sessions()).toHaveLength(1)
    for (const signed of [0, 9]) expect(await signIn(signed)).toBeUndefined()
    expect(await signIn(10)).toBeDefined()
  })

  it('bounds the sessions of each way in, which end their own and nobody else’s', async () => {
    const link = await makeLink(store.desk, linkKey)
    await use(link)
    const [phone, tablet] = [await device('phone'), await device('tablet')]
    await tablet.signIn(0)
    for (let i = 0; i < 8; i += 1) await phone.signIn(0)
    const open = await sessions()
    expect(open.filter(({ by }) => by === 'link')).toHaveLength(1)
    expect(open.filter(({ by }) => by === 'passkey')).toHaveLength(6)
    expect(open.at(1)?.by).toBe('passkey')
  })

  it('keeps what one device is to sign, however often another one asks', async () => {
    const [phone, tablet] = [await device('phone'), await device('tablet')]
    const challenge = await phone.challenge()
    for (let i = 0; i < 25; i += 1) await tablet.challenge()
    const { challenges } = await store.desk.read()
    expect(challenges.map((one) => one.challenge)).toContain(challenge)
    expect(challenges).toHaveLength(21)
  })
})
