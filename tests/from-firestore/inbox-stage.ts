import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Firestore } from '@google-cloud/firestore'
import { onTestFinished } from 'vitest'
import { collector } from '../../src/from-firestore/collector.ts'
import { addressIds } from '../../src/keys/address-id.ts'
import product from '../../src/product/product.ts'
import { confirmationRequestsPath, subscribersPath } from '../../src/shared/subscriber.ts'
import { firestoreInbox } from '../../src/store/firestore/inbox.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { layEmptyList } from '../fixtures/empty-list.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'

export const { appId } = product

/** A folder of data, with a list and keys of its own. */
export function newFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = layEmptyList(join(dir, 'list.sqlite'), appId)
  return { file, linkKey: Buffer.from(randomUUID()) }
}

/** A project of the emulator, what visitors wrote there, and lists that take it in. */
export function inboxStage(origin: string, through = origin) {
  const project = `demo-${randomUUID()}`
  process.env.FIRESTORE_EMULATOR_HOST = new URL(origin).host
  const db = new Firestore({ projectId: project })
  const list = db.collection(subscribersPath(appId).slice(1))
  const requests = db.collection(confirmationRequestsPath(appId).slice(1))
  onTestFinished(async () => {
    await db.terminate()
    await firestoreRest(origin, project).clear()
  })

  function open({ file, linkKey } = newFolder(), machine = 'laptop') {
    process.env.FIRESTORE_EMULATOR_HOST = new URL(through).host
    const ids = addressIds(linkKey)
    const store = sqliteStore({ file, appId, addressIds: ids, log: () => {} })
    const inbox = firestoreInbox(project, appId)
    const { collecting } = store
    onTestFinished(async () => {
      await Promise.all([store.close(), inbox.close()])
    })
    const standingOf = async (email: string) => (await store.standings.of(email))?.standing
    const emails = async () => {
      const all: string[] = []
      for await (const { email } of store.list.stream({ standing: 'all' })) all.push(email)
      return all
    }
    const collect = collector({ inbox, collecting, machine })
    return { store, inbox, collecting, collect, ids, standingOf, emails }
  }

  /** Documents as pages write them, at times of their own. */
  async function write(documents: readonly (readonly [email: string, at: Date])[], into = list) {
    for (let from = 0; from < documents.length; from += 500) {
      const batch = db.batch()
      for (const [email, subscribedAt] of documents.slice(from, from + 500))
        batch.create(into.doc(randomUUID().replaceAll('-', '').repeat(2)), { email, subscribedAt })
      await batch.commit()
    }
  }

  const state = db.doc(`artifacts/${appId}`).collection('state')
  return { project, db, list, requests, newFolder, open, write, claim: state.doc('inbox') }
}

/** So many seconds ago. */
export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
