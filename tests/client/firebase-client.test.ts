/** @module-tag thorough */
// First, or the library would find the real network.
import '../emulators/google-in-node.ts'

import { deleteApp, getApps } from 'firebase/app'
import { getAuth } from 'firebase/auth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { firebaseClient } from '../../src/client/firebase-client.ts'
import { RECORDS_A_USER, recordId } from '../../src/shared/record-id.ts'
import { subscribersPath } from '../../src/shared/subscriber.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { google } from '../emulators/google-in-node.ts'
import { withAuthEmulator, withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { clientContract } from './client-contract.ts'

const appId = 'our-product'
const projectId = 'demo-client'
const patient = () => new AbortController().signal

const firestore = withFirestoreEmulator()
const auth = withAuthEmulator(projectId)
const rest = () => firestoreRest(firestore().origin, projectId)
const records = () => rest().list(subscribersPath(appId).slice(1))

/** Without a browser users are kept in memory, by key: one of their own makes visitors strangers. */
let visitors = 0
async function newVisitor() {
  visitors += 1
  return visitAgain()
}

/** The last visitor, on a page that is opened anew. */
async function visitAgain() {
  await forgetConnections()
  return firebaseClient({ appId, firebase: { apiKey: `visitor-${visitors}`, projectId } })
}

const forgetConnections = () => Promise.all(getApps().map(deleteApp))

/** A token lives for an hour. */
const letTokenExpire = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })

async function signedInVisitor() {
  const visitor = await newVisitor()
  await visitor.signIn(patient())
  return visitor
}

beforeEach(async () => {
  google.emulators = { auth: auth().origin, firestore: firestore().origin }
  google.answer = () => undefined
  // What is refused is said there.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  await rest().setRules(firestoreRules(appId))
  await rest().clear()
  await auth().clear()
})

clientContract('firebaseClient', async () => ({
  newVisitor,
  emails: async () => (await records()).map(({ fields }) => String(fields.email?.stringValue)),
  async goAway() {
    google.emulators = {}
  },
  fallSilent() {
    google.answer = () => new Promise(() => {})
  },
}))

describe('firebaseClient', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('signs a visitor in anonymously, once', async () => {
    const visitor = await newVisitor()
    await visitor.signIn(patient())
    await visitor.signIn(patient())
    expect(await auth().users()).toHaveLength(1)
    expect(getAuth().currentUser?.isAnonymous).toBe(true)
  })

  it("writes exactly the two fields, with the server's time, at an id that names nobody", async () => {
    const visitor = await signedInVisitor()
    const before = Date.now()
    await visitor.subscribe({ email: 'visitor@example.com' }, patient())
    const [record] = await records()
    expect(Object.keys(record?.fields ?? {}).sort()).toEqual(['email', 'subscribedAt'])
    expect(record?.name).toMatch(/\/subscribers\/[0-9a-f]{64}$/)
    const subscribedAt = Date.parse(String(record?.fields.subscribedAt?.timestampValue))
    expect(subscribedAt).toBeGreaterThanOrEqual(before)
    expect(subscribedAt).toBeLessThanOrEqual(Date.now())
  })

  it('writes a new record each time', async () => {
    const visitor = await signedInVisitor()
    await visitor.subscribe({ email: 'visitor@example.com' }, patient())
    await visitor.subscribe({ email: 'visitor@example.com' }, patient())
    expect(await records()).toHaveLength(2)
  })

  it('goes on with a new user where one has added all that a user may', async () => {
    const tablet = await signedInVisitor()
    const emails = Array.from({ length: RECORDS_A_USER + 1 }, (_, i) => `guest${i}@example.com`)
    for (const email of emails)
      expect(await tablet.subscribe({ email }, patient())).toBe('subscribed')
    const kept = (await records()).map(({ fields }) => fields.email?.stringValue)
    expect(kept.toSorted()).toEqual(emails.toSorted())
    expect(await auth().users()).toHaveLength(2)
  })

  it('goes on in the same way on a page that is opened anew', async () => {
    const tablet = await signedInVisitor()
    const guest = (n: number) => ({ email: `guest${n}@example.com` })
    for (let n = 0; n < RECORDS_A_USER; n += 1) await tablet.subscribe(guest(n), patient())
    const again = await visitAgain()
    expect(await again.subscribe(guest(RECORDS_A_USER), patient())).toBe('subscribed')
    expect(await records()).toHaveLength(RECORDS_A_USER + 1)
    expect(await auth().users()).toHaveLength(2)
  })

  it('begins at any of the places of a user, so that those of two visits are seldom one', async () => {
    const visitor = await signedInVisitor()
    vi.spyOn(Math, 'random').mockReturnValue(0.999)
    await visitor.subscribe({ email: 'visitor@example.com' }, patient())
    const id = await recordId(String(getAuth().currentUser?.uid), RECORDS_A_USER - 1)
    expect((await records()).map(({ name }) => name.split('/').at(-1))).toEqual([id])
  })

  it('says that it failed where the rules are missing or wrong, after one try', async () => {
    const visitor = await signedInVisitor()
    await rest().setRules(firestoreRules('another-product'))
    const tried = vi.fn()
    google.answer = ({ host }) => void (host.startsWith('firestore') && tried())
    expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe('failed')
    expect(tried).toHaveBeenCalledOnce()
    expect(await auth().users()).toHaveLength(1)
    await rest().setRules(firestoreRules(appId))
  })

  it.each([
    [404, 'NOT_FOUND', 'the project has no database'],
    [503, 'UNAVAILABLE', 'the database cannot be used'],
  ])('says that there is no database on %i %s: %s', async (code, status, message) => {
    const visitor = await signedInVisitor()
    google.answer = () => Response.json({ error: { code, status, message } }, { status: code })
    expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe(
      'database-unavailable',
    )
  })

  it.each([400, 403, 409, 429, 500, 504])('says that it failed on %i', async (status) => {
    const visitor = await signedInVisitor()
    google.answer = () => Response.json({ error: { code: status } }, { status })
    expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe('failed')
  })

  it('says that it failed when what answers is no Firestore', async () => {
    const visitor = await signedInVisitor()
    google.answer = () => new Response('<h1>Welcome to the hotel</h1>', { status: 511 })
    expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe('failed')
  })

  it('signs a visitor in afresh whose user was disabled while the page stood open', async () => {
    const visitor = await signedInVisitor()
    const uid = String(getAuth().currentUser?.uid)
    await auth().disable(uid)
    letTokenExpire()
    expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe('subscribed')
    expect(getAuth().currentUser?.uid).not.toBe(uid)
  })

  it.each(['USER_NOT_FOUND', 'TOKEN_EXPIRED'])(
    'signs a visitor in afresh when Google says %s of the user',
    async (message) => {
      const visitor = await signedInVisitor()
      const uid = String(getAuth().currentUser?.uid)
      google.answer = ({ host }) =>
        host.startsWith('securetoken')
          ? Response.json({ error: { code: 400, message } }, { status: 400 })
          : undefined
      letTokenExpire()
      expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe(
        'subscribed',
      )
      expect(getAuth().currentUser?.uid).not.toBe(uid)
    },
  )

  it('asks for a new token when Firestore knows the old one no more', async () => {
    const visitor = await signedInVisitor()
    const refreshed = vi.fn()
    let refused = false
    google.answer = ({ host }) => {
      if (host.startsWith('securetoken')) refreshed()
      if (refused || !host.startsWith('firestore')) return undefined
      refused = true
      return Response.json({ error: { code: 401, status: 'UNAUTHENTICATED' } }, { status: 401 })
    }
    expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe('subscribed')
    expect(refreshed).toHaveBeenCalledOnce()
  })

  it('prints the code of what is refused, and never the address', async () => {
    const printed = vi.fn()
    for (const method of ['debug', 'info', 'log', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation(printed)
    const visitor = await signedInVisitor()
    await visitor.subscribe({ email: 'no address' }, patient())
    google.answer = () =>
      Response.json(
        { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'visitor@example.com' } },
        { status: 400 },
      )
    await visitor.subscribe({ email: 'visitor@example.com' }, patient())
    await (await newVisitor()).signIn(patient()).catch(() => {})
    google.answer = () => undefined
    google.emulators = {}
    await visitor.subscribe({ email: 'visitor@example.com' }, patient()).catch(() => {})
    expect(printed.mock.calls).toEqual([
      ['Not subscribed:', '403 PERMISSION_DENIED'],
      ['Not subscribed:', '400 INVALID_ARGUMENT'],
    ])
  })

  it('takes as a code only what is one', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const visitor = await signedInVisitor()
    google.answer = () =>
      Response.json({ error: { status: 'visitor@example.com is known' } }, { status: 409 })
    expect(await visitor.subscribe({ email: 'visitor@example.com' }, patient())).toBe('failed')
    expect(warn.mock.calls).toEqual([['Not subscribed:', '409']])
  })

  it.each([
    ['nothing', {}],
    ['no key', { projectId }],
    ['no project', { apiKey: 'not-a-secret' }],
  ])('cannot be made from a configuration with %s', async (_, wrong) => {
    await forgetConnections()
    expect(() => firebaseClient({ appId, firebase: wrong })).toThrow()
  })
})
