import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { addressIds } from '../../src/keys/address-id.ts'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import product from '../../src/product/product.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { ImportedSubscriber } from '../../src/store/subscriber-list.ts'
import type { NameCount } from '../../src/store/visits.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const BATCH = 500

/** What a list has been through, for pictures and tests of the desk. The figures are invented. */
export interface Story {
  readonly people: number
  readonly days: number
}

const sources = [
  ['hn', 4120, 1180],
  ['newsletter', 1932, 804],
  ['x', 2210, 431],
  ['producthunt', 1466, 322],
  ['reddit', 980, 141],
  ['youtube', 412, 61],
  ['linkedin', 377, 38],
] as const

/** The same at each run. */
function dice(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const first =
  'ada bea chen dan eve fay gus hana ivo jo kai lea mia noor omar pia quin ravi sol tess'
const last = 'adams braun costa dietz evans fuchs gray haas ito jung kaya lopez meyer novak olsen'
const [firsts, lasts] = [first.split(' '), last.split(' ')]

/**
 * Fills the data folder of a site that has not been started yet, or is running.
 *
 * @param now the end of the story.
 */
export async function tellStory(dataDir: string, { people, days }: Story, now = new Date()) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const linkKey = keptLinkKey(dataDir)
  const { appId } = product
  const { store } = await openStore({ kind: 'sqlite', dataDir, appId, linkKey, log: () => {} })
  const ids = addressIds(linkKey)
  const random = dice(7)
  const start = Number(now) - days * DAY_MS
  // A launch in the second half, and a daily tide.
  const launch = start + days * DAY_MS * 0.4
  const weight = (at: number) => {
    const since = (at - launch) / DAY_MS
    const spike = since >= 0 ? 5 * Math.exp(-since / 1.3) : 0
    const tide = 1 + 0.8 * Math.sin(((at % DAY_MS) / DAY_MS) * 2 * Math.PI - 2)
    return (0.6 + (at - start) / (days * DAY_MS) + spike) * tide
  }
  const hours = Array.from({ length: Math.max(1, days * 24) }, (_, i) => start + i * HOUR_MS)
  const weights = hours.map((at) => weight(at) * (0.8 + 0.4 * random()))
  const whole = weights.reduce((sum, one) => sum + one, 0)
  const perHour = weights.map((one) => Math.max(0, Math.round((people * one) / whole)))

  let number = 0
  const everybody = hours.flatMap((hour, i) =>
    Array.from({ length: perHour[i] ?? 0 }, (): ImportedSubscriber => {
      const name = firsts[Math.floor(random() * firsts.length)]
      const family = lasts[Math.floor(random() * lasts.length)]
      number += 1
      const email = `${name}.${family}${number}@example.com`
      const subscribedAt = new Date(Math.min(Number(now) - 5000, hour + random() * HOUR_MS))
      const departed = random()
      const standing =
        departed < 0.006 ? 'quarantined' : departed < 0.009 ? 'unsubscribed' : undefined
      return {
        email,
        subscribedAt,
        signedUpAt: subscribedAt,
        ...(standing && { standing, standingAt: subscribedAt }),
      } as const
    }),
  )
  for (let i = 0; i < everybody.length; i += BATCH) {
    const some = everybody.slice(i, i + BATCH)
    await store.list.importAll(some)
    await store.restore.sources(
      some.flatMap(({ email, subscribedAt }) => {
        const drawn = sourceOf(random())
        return drawn
          ? [{ addressId: ids.of(email), at: subscribedAt, source: { source: drawn } }]
          : []
      }),
    )
  }
  await countVisits(store, hours, perHour, random)
  await store.close()
}

function sourceOf(drawn: number): string | undefined {
  const all = sources.reduce((sum, [, , signUps]) => sum + signUps, 0) * 1.3
  let until = 0
  for (const [name, , signUps] of sources) {
    until += signUps / all
    if (drawn < until) return name
  }
  return undefined
}

async function countVisits(
  store: Store,
  hours: readonly number[],
  signUps: readonly number[],
  random: () => number,
) {
  const counted = hours.map((hour, i) => {
    const visits = Math.round((signUps[i] ?? 0) * (5 + 3 * random()))
    const all = sources.reduce((sum, [, visits]) => sum + visits, 0) * 1.35
    const names: NameCount[] = sources.map(([name, share]) => ({
      kind: 'source' as const,
      name,
      number: Math.round((visits * share) / all),
    }))
    names.push({ kind: 'host', name: 'news.example.org', number: Math.round(visits * 0.04) })
    names.push({ kind: 'source', name: null, number: Math.round(visits * 0.05) })
    return {
      hour: new Date(Math.floor(hour / HOUR_MS) * HOUR_MS),
      counts: {
        first: visits,
        return: Math.round(visits / 3),
        robot: Math.round(visits * 0.38),
        prefetch: Math.round(visits / 20),
      },
      names: names.filter(({ number }) => number > 0),
    }
  })
  for (let i = 0; i < counted.length; i += 24) await store.visits.add(counted.slice(i, i + 24))
}

/** Notes when the last back-up was made. */
export function noteBackup(databaseFile: string, at: Date) {
  const db = new DatabaseSync(databaseFile)
  db.prepare('DELETE FROM backups').run()
  db.prepare('INSERT INTO backups (at) VALUES (?)').run(at.toISOString())
  db.close()
}
