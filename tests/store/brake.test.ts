import { describe, expect, it } from 'vitest'
import type { LetterCounts } from '../../src/people/letter-counts.ts'
import { type Pending, withNetwork } from '../../src/people/pending.ts'
import type { DecideLetter } from '../../src/people/requests.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { nothingHeld } from '../fixtures/held-letters.ts'
import { ids } from '../fixtures/keys.ts'
import { restorePending } from '../fixtures/restore-pending.ts'

const shown = { words: 'Notify Me', page: 'a1b2', language: 'en' }
const [here, there] = ['H'.repeat(22), 'T'.repeat(22)]
const HOUR_MS = 3_600_000
const hidden = 'hidden-field, too-quick'

describe('the store, as the counter of letters', () => {
  eachHasStore()

  const ask = (email: string, network?: string, suspicion?: string) =>
    store.requests.requestConfirmation(email, { shown, isCrowd: false, network, suspicion })
  const sending: DecideLetter = ({ email, at, network, suspicion }, _found, now) => {
    const letter = { email, askedAt: at, shown, suspicion, letters: 1, lastLetterAt: now }
    return { isSent: true, pending: withNetwork(letter, network) }
  }
  async function send() {
    const { letters } = await store.requests.claimLetters(50, HOUR_MS, sending)
    await store.requests.settleLetters(letters)
  }
  const change = (email: string, changed: Partial<Pending>) =>
    store.requests.changePending(ids.of(email), ({ pending }) => ({
      result: undefined,
      ...(pending && { pending: { ...pending, ...changed } }),
    }))
  /** What is counted for a letter to this address. */
  async function countsFor(email: string, network?: string, suspicion?: string) {
    await ask(email, network, suspicion)
    let seen: LetterCounts | undefined
    await store.requests.claimLetters(50, HOUR_MS, (_request, { counts }) => {
      seen = counts
      return {}
    })
    if (!seen) throw new Error('nothing was decided')
    return seen
  }
  const hold = (waitsFor: 'network' | 'hidden-field') =>
    store.requests.claimLetters(50, HOUR_MS, () => ({
      waitsFor,
      dueAt: new Date(Date.now() + HOUR_MS),
    }))
  async function due() {
    const emails: string[] = []
    await store.requests.claimLetters(50, HOUR_MS, ({ email }) => {
      emails.push(email)
      return { dueAt: new Date(0) }
    })
    return emails
  }

  it('counts what was answered of a network and of a domain, and not of a public provider', async () => {
    for (const one of ['a', 'b', 'c']) await ask(`${one}@acme.example`, here)
    await ask('d@gmail.com', there)
    await send()
    await change('a@acme.example', { confirmedAt: new Date() })
    expect(await countsFor('new@acme.example', there)).toMatchObject({
      network: { answered: 0, unanswered: 1 },
      domain: { answered: 1, unanswered: 2 },
    })
    const { network, domain } = await countsFor('new@gmail.com', here)
    expect(network).toEqual({ answered: 1, unanswered: 2 })
    expect(domain).toBeUndefined()
    expect((await countsFor('new@other.example')).network).toBeUndefined()
  })

  it('counts no more of a flood than decide, since each of its letters looks at them', async () => {
    for (let n = 0; n < 15; n++) await ask(`${n}@acme.example`, here, hidden)
    await send()
    await change('0@acme.example', { confirmedAt: new Date() })
    expect(await countsFor('new@acme.example', here, hidden)).toMatchObject({
      network: { answered: 1, unanswered: 11 },
      domain: { answered: 1, unanswered: 11 },
      hidden: 10,
    })
  })

  it('counts an address that refused its letter, and none of the day before', async () => {
    for (const one of ['refused', 'old']) await ask(`${one}@acme.example`, here)
    await send()
    const gaveBack = { letters: 0, lastLetterAt: undefined }
    await change('refused@acme.example', { ...gaveBack, refusedAt: new Date() })
    await change('old@acme.example', { lastLetterAt: new Date(Date.now() - 25 * HOUR_MS) })
    const counted = { answered: 0, unanswered: 1 }
    expect(await countsFor('new@acme.example', here)).toMatchObject({
      network: counted,
      domain: counted,
    })
  })

  it('counts what became of the last 200 letters that had an hour to be answered', async () => {
    const at = new Date(Date.now() - 2 * HOUR_MS)
    const letter = (n: number) => ({
      email: `${n}@gmail.com`,
      askedAt: at,
      shown,
      letters: 1,
      lastLetterAt: at,
      ...(n % 4 === 0 && { confirmedAt: at }),
    })
    await restorePending(
      store,
      Array.from({ length: 199 }, (_, n) => letter(n)),
    )
    await ask('now@gmail.com', here)
    await send()
    expect((await countsFor('new@gmail.com')).recent).toBeUndefined()
    await restorePending(store, [letter(199)])
    expect((await countsFor('new@gmail.com')).recent).toEqual({ answered: 50, unanswered: 150 })
  })

  it('counts nothing of who was forgotten', async () => {
    await ask('gone@acme.example', here)
    await send()
    await store.standings.forget('gone@acme.example')
    const none = { answered: 0, unanswered: 0 }
    expect(await countsFor('new@acme.example', here)).toMatchObject({
      network: none,
      domain: none,
    })
  })

  it('gives letters of a filled hidden field after those of everybody else', async () => {
    await ask('robot@gmail.com', here, hidden)
    await ask('quick@gmail.com', here, 'too-quick')
    await ask('ada@gmail.com', here)
    expect(await due()).toEqual(['ada@gmail.com', 'quick@gmail.com', 'robot@gmail.com'])
  })

  it('keeps what letters wait for, and has them leave when they are released', async () => {
    await ask('one@gmail.com', here)
    await hold('network')
    for (const n of [1, 2]) await ask(`robot${n}@gmail.com`, here, hidden)
    await hold('hidden-field')
    expect(await store.requests.heldLetters()).toEqual({
      ...nothingHeld,
      network: 1,
      'hidden-field': 2,
    })
    expect(await due()).toEqual([])
    expect(await store.requests.releaseLetters('hidden-field')).toBe(2)
    expect(await store.requests.heldLetters()).toEqual({ ...nothingHeld, network: 1 })
    expect(await due()).toHaveLength(2)
    const { released } = await countsFor('new@gmail.com', here)
    expect(Object.keys(released)).toEqual(['hidden-field'])
    expect(released['hidden-field']?.getTime()).toBeLessThanOrEqual(Date.now())
    expect(await store.requests.releaseLetters('network')).toBe(1)
    expect(await store.requests.heldLetters()).toEqual(nothingHeld)
  })

  it('has those go ahead that came after one that waits', async () => {
    await ask('first@gmail.com', here)
    await store.requests.claimLetters(9, HOUR_MS, () => ({
      waitsFor: 'network',
      dueAt: new Date(0),
    }))
    await ask('second@gmail.com', there)
    expect(await due()).toEqual(['second@gmail.com', 'first@gmail.com'])
    // Looked at again without a reason to wait, it is none that waits.
    expect(await store.requests.heldLetters()).toEqual(nothingHeld)
  })

  it('counts the unanswered of a filled hidden field anew after a release', async () => {
    for (const n of [1, 2, 3]) await ask(`robot${n}@gmail.com`, here, hidden)
    await send()
    await change('robot1@gmail.com', { confirmedAt: new Date() })
    expect(await countsFor('robot4@gmail.com', there, hidden)).toMatchObject({ hidden: 2 })
    await store.requests.releaseLetters('hidden-field')
    expect(await countsFor('robot5@gmail.com', there, hidden)).toMatchObject({ hidden: 0 })
  })
})
