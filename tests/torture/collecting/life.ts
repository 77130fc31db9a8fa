/** Takes in from Firestore until there is no more, as a process that can be killed and says where it is. */
import { collector } from '../../../src/from-firestore/collector.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { firestoreInbox } from '../../../src/store/firestore/inbox.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { standIn } from './stand-in.ts'

const { FILE: file = '', PROJECT: project, APP_ID: appId = '', KEY = '', DOCUMENTS } = process.env
const ids = addressIds(Buffer.from(KEY))
const store = sqliteStore({ file, appId, addressIds: ids, log: () => {} })
const inbox = DOCUMENTS ? standIn(Number(DOCUMENTS)) : firestoreInbox(project, appId)
const { collecting } = store
console.log('begun')
await collector({ inbox, collecting, machine: 'here' }).toTheEnd({
  progress: (_found, takenIn) => console.log(takenIn > 0 ? 'taking' : 'looking'),
})
const people = await store.list.count()
const megabytes = process.resourceUsage().maxRSS / 1000
await Promise.all([store.close(), inbox.close()])
console.log(JSON.stringify({ people, megabytes }))
