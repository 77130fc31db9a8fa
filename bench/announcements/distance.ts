import { randomBytes, randomUUID } from 'node:crypto'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import product from '../../src/product/product.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type Counted, startCountingProxy } from '../../tests/emulators/counting-proxy.ts'
import { startDelayingProxy } from '../../tests/emulators/delaying-proxy.ts'
import { findFirestoreEmulator } from '../../tests/emulators/find-firestore-emulator.ts'
import { startFirestoreEmulator } from '../../tests/emulators/firestore-emulator.ts'
import { type Findings, type Row, single } from '../report.ts'
import { launch } from './launch.ts'

const RATE = 50
/** Twelve seconds of sending. */
const SUBSCRIBERS = 600
const ROUND_TRIPS_MS = [0, 30, 80]
/** The one that the budget is about. */
const FAR_MS = 80

/** How close an announcement comes to `--rate 50`: with a file, and with Firestore farther and farther away. */
export async function measureDistance(
  url: string,
  file: { readonly store: Store; readonly linkKey: Buffer },
): Promise<Findings> {
  const rows: Row[] = [
    {
      what: `announcement at --rate ${RATE}, SQLite, which is never far away`,
      figure: single(await rateOf(file.store, file.linkKey, url)),
      unit: '/s',
    },
  ]
  const found = findFirestoreEmulator()
  if ('missing' in found) return { rows, notes: [`Announcements on Firestore: ${found.missing}.`] }
  const emulator = await startFirestoreEmulator(found.jar, firestoreRules(product.appId))
  try {
    for (const roundTripMs of ROUND_TRIPS_MS)
      rows.push(...(await measureFrom(emulator.origin, roundTripMs, url)))
  } finally {
    await emulator.stop()
  }
  return { rows }
}

async function measureFrom(origin: string, roundTripMs: number, url: string): Promise<Row[]> {
  const far = await startDelayingProxy(origin, roundTripMs)
  const counting = await startCountingProxy(far.origin)
  process.env.FIRESTORE_EMULATOR_HOST = new URL(counting.origin).host
  const linkKey = randomBytes(32)
  const { store } = await openStore({
    kind: 'firestore',
    dataDir: '',
    projectId: `demo-${randomUUID()}`,
    appId: product.appId,
    linkKey,
    log: console.error,
  })
  try {
    const people = Array.from({ length: SUBSCRIBERS }, (_, n) => ({
      email: `visitor${n}@example.com`,
      subscribedAt: new Date(Date.UTC(2026, 0, 1) + n),
    }))
    for (let n = 0; n < SUBSCRIBERS; n += 200) await store.list.importAll(people.slice(n, n + 200))
    let sending: Counted | undefined
    const counted = () => {
      sending = counting.take()
    }
    const perSecond = await rateOf(store, linkKey, url, counting.take, counted)
    const what = `announcement at --rate ${RATE}, Firestore ${roundTripMs} ms away`
    const isFar = roundTripMs === FAR_MS
    return [
      {
        what,
        figure: single(perSecond),
        unit: '/s',
        ...(isFar && { budget: { must: 40, aim: 50, better: 'more' } }),
      },
      {
        what: `${what}: calls a message`,
        unit: '',
        figure: single((sending?.calls ?? Number.NaN) / SUBSCRIBERS),
        ...(isFar && { budget: { must: 4, aim: 3, better: 'less' } }),
      },
    ]
  } finally {
    await store.close()
    await counting.close()
    await far.close()
  }
}

/** Messages a second, from the beginning of sending to the last result in the ledger. */
async function rateOf(
  store: Store,
  linkKey: Buffer,
  url: string,
  onBegun = () => {},
  onLast = () => {},
): Promise<number> {
  let begun = 0
  let sent = 0
  let perSecond = Number.NaN
  await launch({
    store,
    linkKey,
    url,
    rate: RATE,
    first: SUBSCRIBERS,
    id: `distance-${randomUUID()}`,
    onBegun() {
      begun = performance.now()
      onBegun()
    },
    onResult() {
      sent += 1
      if (sent !== SUBSCRIBERS) return
      perSecond = (sent * 1000) / (performance.now() - begun)
      onLast()
    },
  })
  return perSecond
}
