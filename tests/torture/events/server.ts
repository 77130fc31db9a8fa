/**
 * A server as far as events are concerned, to be killed: people who come, leave and are erased
 * without end. It prints what was committed, once that is on disk.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { receiverAt } from '../../../src/events/receiver.ts'
import { eventRounds } from '../../../src/events/send-events.ts'
import { begun } from '../../../src/queue/sending-round.ts'
import { eventTypes } from '../../../src/shared/event-types.ts'
import { ids } from '../../fixtures/keys.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'

const { FILE = '', URL_OF_RECEIVER: url = '', SECRET = '', LIFE, PEOPLE } = process.env
/** Ten minutes pass in a second: waits and leases end within some lives, and no week does. */
const SPEED = 600
const since = Number(process.env.BEGUN)
const now = () => new Date(since + (Date.now() - since) * SPEED)

const store = sqliteStore({ file: FILE, appId: 'test', addressIds: ids, log: () => {} })
const work = eventRounds({
  events: store.events,
  receiver: receiverAt({
    url,
    secrets: [Buffer.from(SECRET, 'base64')],
    withinMs: 300,
  }),
  types: eventTypes,
  place: 'P'.repeat(22),
  log: () => {},
  now,
  // Longer than a try takes, by the clock that runs fast.
  times: { lease: 3000 * SPEED, pauses: [5], late: 5 },
})
await begun(work)
console.log('begun')
for (let i = 0; i < Number(PEOPLE); i++) {
  const email = `visitor-${LIFE}-${i}@example.com`
  await store.list.add(email)
  console.log(`subscribed ${email}`)
  if (i % 2 === 0) {
    await store.standings.unsubscribe(ids.of(email))
    console.log(`left ${email}`)
  }
  if (i % 5 === 0) {
    console.log(`erasing ${email}`)
    await store.standings.forget(email)
    console.log(`forgotten ${email}`)
  }
  await sleep(5)
}
// Keeps on sending.
setInterval(() => {}, 1000)
