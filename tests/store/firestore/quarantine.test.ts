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
    await store.add(ada, { suspicion })
    for (let times = 0; times < 3; times++)
      await store.requestConfirmation(ada, { ...asked, suspicion })
    const outbox = db.collection(`artifacts/${appId}/outbox`)
    expect((await outbox.get()).size).toBe(3)
    expect(await store.eraseQuarantined([ada])).toEqual([ada])
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
    await store.add(ada, { suspicion })
    await signUp(
      700,
      () => ada,
      () => new Date('2026-01-01'),
    )
    const asking = () => store.requestConfirmation(ada, { ...asked, suspicion })
    await Promise.all(Array.from({ length: 190 }, asking))
    expect(await store.eraseQuarantined([ada])).toEqual([ada])
    expect(await store.find(ada)).toBeUndefined()
    expect((await store.outboxCounts()).waiting).toBe(0)
  })

  it('leaves whoever signed up a thousand times since they had left', async () => {
    const { opened, signUp } = stage()
    const store = await opened
    await store.add(ada, { suspicion })
    await store.unsubscribe(ids.of(ada))
    await signUp(700, () => ada)
    expect(await store.standing(ada)).toBeUndefined()
    expect(await store.eraseQuarantined([ada])).toEqual([])
    expect(await store.find(ada)).toBeDefined()
  })

  it('erases an address that left between its thousand records and its signs', async () => {
    const { opened, signUp } = stage()
    const store = await opened
    await signUp(700, () => ada)
    await store.unsubscribe(ids.of(ada))
    await store.add(ada, { suspicion })
    expect(await store.standing(ada)).toMatchObject({ standing: 'quarantined' })
    expect(await store.eraseQuarantined([ada])).toEqual([ada])
    expect(await store.find(ada)).toBeUndefined()
    expect(await store.standing(ada)).toMatchObject({ standing: 'forgotten' })
  })
})
