import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { layEmptyList } from '../fixtures/empty-list.ts'
import { ids } from '../fixtures/keys.ts'
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

/**
 * All that is promised of a store that keeps everything.
 *
 * @param openEmpty opens one that holds nobody. @param crowd how many addresses come at once.
 */
export function everyContract(name: string, openEmpty: () => Promise<Store>, crowd?: number) {
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
