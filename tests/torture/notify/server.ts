/**
 * A server as far as notices are concerned, to be killed: sign-ups and events without end, told by a
 * clock that runs fast. It prints the number of each event once that is committed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import product from '../../../product.config.ts'
import { placesOf } from '../../../src/notices/places.ts'
import { tellOperator } from '../../../src/notices/tell-operator.ts'
import { begun } from '../../../src/queue/round.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'

const { FILE = '', URL_OF_RECEIVER: url = '', SECRET = '', LIFE, BEGUN, EVENTS } = process.env
/** Half an hour passes in a second. */
const SPEED = 1800
const since = Number(BEGUN)
const now = () => new Date(since + (Date.now() - since) * SPEED)

const store = sqliteStore({ file: FILE, appId: product.appId, addressIds: ids, log: () => {} })
const telling = tellOperator({
  store,
  appId: product.appId,
  dayEndsAt: undefined,
  now,
  everyMs: 5,
  places: placesOf(
    {
      hooks: [{ kind: 'webhook', url }],
      secrets: [Buffer.from(SECRET, 'base64')],
      mail: undefined,
    },
    product,
    linkKey,
  ),
  areAddressesTold: false,
  backups: undefined,
  log: { warn: () => {}, error: () => {} },
})
await begun(telling)
for (let i = 0; i < Number(EVENTS); i++) {
  const number = Number(LIFE) * 1_000_000 + i
  await Promise.all([0, 1, 2].map((n) => store.list.add(`visitor-${number}-${n}@example.com`)))
  await store.notices.noteEvent({
    key: `event:${number}`,
    type: 'test',
    at: now(),
    data: { event: number },
  })
  console.log(number)
  // No more in all lives of a file than wait for a place.
  await sleep(25)
}
// Keeps on telling.
setInterval(() => {}, 1000)
