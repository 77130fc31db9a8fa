/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { ids } from '../../fixtures/keys.ts'
import { emptyFirestore } from '../every-store.ts'
import { floodgate } from './flood.ts'

const appId = 'our-product'
const ada = 'ada@example.com'
const suspicion = 'hidden-field'
const asked = { shown: { words: 'Notify me', page: 'a1b2', language: 'en' }, isCrowd: false }

describe('an operator who erases the quarantined on Firestore', () => {
  const emulator = withFirestoreEmulator()

  function stage() {
    const { origin } = emulator()
    const projectId = `demo-${randomUUID()}`
    const { db, close, signUp } = floodgate(origin, projectId, appId)
    const opened = emptyFirestore(origin, { projectId, appId })
    onTestFinished(async () => {
      await close()
      await (await opened).close()
    })
    return { opened, db, signUp }
  }

  it('leaves no letter to an address that is forgotten, wherever the command is killed', async () => {
    const { opened, db } = stage()
    const store = await opened
    await store.list.add(ada, { suspicion })
    for (let times = 0; times < 3; times++)
      await store.outbox.requestConfirmation(ada, { ...asked, suspicion })
    const outbox = db.collection(`artifacts/${appId}/outbox`)
    expect((await outbox.get()).size).toBe(3)
    expect(await store.quarantine.erase([ada])).toEqual([ada])
    // What a command leaves that is killed at the moment at which the address is forgotten.
    const entry = await db.doc(`artifacts/${appId}/suppressions/${ids.of(ada)}`).get()
    expect(entry.get('forgottenAt')).toBeDefined()
    const left = await db.runTransaction((work) => work.get(outbox), {
      readOnly: true,
      ...(entry.updateTime && { readTime: entry.updateTime }),
    })
    expect(left.size).toBe(0)
  })

  it('erases an address with more records and letters than one commit takes', async () => {
    const { opened, signUp } = stage()
    const store = await opened
    await store.list.add(ada, { suspicion })
    await signUp(
      700,
      () => ada,
      () => new Date('2026-01-01'),
    )
    const asking = () => store.outbox.requestConfirmation(ada, { ...asked, suspicion })
    await Promise.all(Array.from({ length: 190 }, asking))
    expect(await store.quarantine.erase([ada])).toEqual([ada])
    expect(await store.list.find(ada)).toBeUndefined()
    expect((await store.outbox.counts()).waiting).toBe(0)
  })

  it('leaves whoever signed up a thousand times since they had left', async () => {
    const { opened, signUp } = stage()
    const store = await opened
    await store.list.add(ada, { suspicion })
    await store.standings.unsubscribe(ids.of(ada))
    await signUp(700, () => ada)
    expect(await store.standings.of(ada)).toBeUndefined()
    expect(await store.quarantine.erase([ada])).toEqual([])
    expect(await store.list.find(ada)).toBeDefined()
  })

  it('erases an address that left between its thousand records and its signs', async () => {
    const { opened, signUp } = stage()
    const store = await opened
    await signUp(700, () => ada)
    await store.standings.unsubscribe(ids.of(ada))
    await store.list.add(ada, { suspicion })
    expect(await store.standings.of(ada)).toMatchObject({ standing: 'quarantined' })
    expect(await store.quarantine.erase([ada])).toEqual([ada])
    expect(await store.list.find(ada)).toBeUndefined()
    expect(await store.standings.of(ada)).toMatchObject({ standing: 'forgotten' })
  })
})
