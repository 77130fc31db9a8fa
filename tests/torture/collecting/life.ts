/** Takes in from Firestore until there is no more, as a process that can be killed. */
import { collector } from '../../../src/collect/collector.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { firestoreInbox } from '../../../src/store/firestore/inbox.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'

const { FILE: file = '', PROJECT: project, APP_ID: appId = '', KEY = '' } = process.env
const ids = addressIds(Buffer.from(KEY))
const store = sqliteStore({ file, appId, addressIds: ids, log: () => {} })
const inbox = firestoreInbox(project, appId, () => {})
await collector({ inbox, collecting: store.collecting, machine: 'here' }).toTheEnd()
await Promise.all([store.close(), inbox.close()])
