import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { firestoreStore } from '../../src/store/firestore/firestore-store.ts'
import { firestoreMigrations } from '../../src/store/firestore/migrations/all.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { firestoreRest, OWNER } from '../emulators/firestore-rest.ts'
import { layEmptyList } from '../fixtures/empty-list.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { answersContract } from './contracts/answers-contract.ts'
import { brakeContract } from './contracts/brake-contract.ts'
import { cameContract } from './contracts/came-contract.ts'
import { copiesContract } from './contracts/copies-contract.ts'
import { deskContract } from './contracts/desk-contract.ts'
import { eventsContract } from './contracts/events-contract.ts'
import { growthContract } from './contracts/growth-contract.ts'
import { importsContract } from './contracts/imports-contract.ts'
import { invitationsContract } from './contracts/invitations-contract.ts'
import { languagesContract } from './contracts/languages-contract.ts'
import { ledgerContract } from './contracts/ledger-contract.ts'
import { listContract } from './contracts/list-contract.ts'
import { lockContract } from './contracts/lock-contract.ts'
import { noticesContract } from './contracts/notices-contract.ts'
import { openingContract } from './contracts/opening-contract.ts'
import { outboxContract } from './contracts/outbox-contract.ts'
import { peopleContract } from './contracts/people-contract.ts'
import { quarantineContract } from './contracts/quarantine-contract.ts'
import { referralsContract } from './contracts/referrals-contract.ts'
import { restoreContract } from './contracts/restore-contract.ts'
import { silenceContract } from './contracts/silence-contract.ts'
import { standingContract } from './contracts/standing-contract.ts'
import { storeContract } from './contracts/store-contract.ts'
import { visitsContract } from './contracts/visits-contract.ts'

export type FirestoreStore = ReturnType<typeof firestoreStore>

/**
 * All that is promised of a store that keeps everything.
 *
 * @param openEmpty opens one that holds nobody. @param paces how often a look at each is worth its
 *   price, in milliseconds. @param crowd how many addresses come at once.
 */
export function everyContract(
  name: string,
  openEmpty: () => Promise<Store>,
  paces: { readonly opening: number; readonly growth: number },
  crowd?: number,
) {
  it(`${name} looks for the opening and for growth each at its own pace`, async () => {
    const { opening, growth, close } = await openEmpty()
    onTestFinished(close)
    expect({ opening: opening.lookEveryMs, growth: growth.lookEveryMs }).toEqual(paces)
  })
  storeContract(name, openEmpty, crowd)
  listContract(name, openEmpty)
  importsContract(name, openEmpty, ids)
  standingContract(name, openEmpty, ids)
  lockContract(name, openEmpty)
  ledgerContract(name, openEmpty, ids)
  outboxContract(name, openEmpty, ids)
  brakeContract(name, openEmpty, ids)
  visitsContract(name, openEmpty, ids)
  languagesContract(name, openEmpty, ids)
  noticesContract(name, openEmpty)
  eventsContract(name, openEmpty, ids)
  quarantineContract(name, openEmpty, ids)
  peopleContract(name, openEmpty, ids)
  growthContract(name, openEmpty, ids)
  deskContract(name, openEmpty)
  openingContract(name, openEmpty)
  invitationsContract(name, openEmpty)
  restoreContract(name, openEmpty, ids)
  copiesContract(name, openEmpty, ids)
  answersContract(name, openEmpty, ids)
  cameContract(name, openEmpty, ids)
  silenceContract(name, openEmpty, ids)
  referralsContract(name, openEmpty, ids)
}

export async function emptySqlite(): Promise<Store> {
  const dir = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  const file = layEmptyList(join(dir, 'store.sqlite'), 'test')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  return {
    ...store,
    async close() {
      await store.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Makes a project that holds nobody, as a store leaves it that was opened there once: to bring an
 * empty one up takes it thirty calls, more than most tests make.
 *
 * @param origin of the emulator, which keeps projects apart. @returns its id.
 */
export async function newProject(
  origin: string,
  { projectId = `demo-${randomUUID()}`, appId = 'test' } = {},
): Promise<string> {
  const version = { integerValue: String(firestoreMigrations.length) }
  const path = `artifacts/${appId}/state/version`
  await firestoreRest(origin, projectId).commit([{ path, fields: { version } }], OWNER)
  return projectId
}

/** @param origin of the emulator, which keeps projects apart. */
export async function emptyFirestore(
  origin: string,
  { projectId = `demo-${randomUUID()}`, appId = 'test' } = {},
): Promise<FirestoreStore> {
  await newProject(origin, { projectId, appId })
  const store = openFirestore(origin, projectId, { appId })
  return {
    ...store,
    async close() {
      await store.close()
      // What stays there makes it slower for all that follow.
      await firestoreRest(origin, projectId).clear()
    },
  }
}

/** @param origin of the emulator. */
export function openFirestore(
  origin: string,
  projectId: string,
  { appId = 'test', addressIds = ids, log = (_message: string) => {} } = {},
): FirestoreStore {
  process.env.FIRESTORE_EMULATOR_HOST = new URL(origin).host
  return firestoreStore({ projectId, appId, addressIds, log })
}

/** What server and tool read of the same emulator from their environment. */
export function firestoreSettings(origin: string, projectId: string) {
  return {
    STORE: 'firestore',
    SESSION_KEY: 'a session key that all servers share',
    LINK_KEY: linkKey.toString(),
    GOOGLE_CLOUD_PROJECT: projectId,
    FIRESTORE_EMULATOR_HOST: new URL(origin).host,
  }
}
