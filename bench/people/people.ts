import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { addressIds } from '../../src/keys/address-id.ts'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { PeopleWanted } from '../../src/store/people.ts'
import type { Store } from '../../src/store/store.ts'
import { at, figure } from '../figures.ts'
import { workFolder } from '../processes.ts'
import { type Findings, type Row, single } from '../report.ts'

const MILLION = 1_000_000
const AT_ONCE = 10_000
const SEARCHES = 100
const ON_A_PAGE = 50

const names = 'ada bob carol dave eve frank grace heidi ivan judy olivia peggy rupert zoe'.split(
  ' ',
)
const domains = 'gmail.com gmail.com gmail.com outlook.com yahoo.com icloud.com web.de'.split(' ')
const sources = ['hn', 'producthunt', 'x.com', 'newsletter']

let visitors = 0

/** Every seventh is at one of five thousand small domains. */
function email(): string {
  const i = visitors++
  const domain = i % 7 === 0 ? `company${i % 5000}.example.com` : domains[i % domains.length]
  return `${names[i % names.length]}.${Math.random().toString(36).slice(2, 8)}${i}@${domain}`
}

/**
 * The list on the desk, with a million people in a file: what a search costs at each key that is
 * typed, and what a page by standing and by source does.
 */
export async function measurePeople(rounds: number): Promise<Findings> {
  const dataDir = join(workFolder, 'people')
  mkdirSync(dataDir, { recursive: true })
  const linkKey = keptLinkKey(dataDir)
  const { store } = await openStore({
    kind: 'sqlite',
    dataDir,
    appId: 'opening-bell',
    linkKey,
    log: console.error,
  })
  const emails = await fill(store)
  const firstId = addressIds(linkKey).of(emails[0] ?? '')
  const page = (wanted: Partial<PeopleWanted> = {}) =>
    store.people.page({ limit: ON_A_PAGE, ...wanted })
  const rows: Row[] = [
    ms('first page of 1 M', await timed(() => page())),
    ms('first search of 1 M, which reads all addresses', await timed(() => page({ part: 'ada' }))),
    ms('somebody by id, who came first of 1 M', await timed(() => store.people.addressOf(firstId))),
    ms('first page of a standing of 1 M', await timed(() => page({ standing: 'quarantined' }))),
    ms('first page of a source of 1 M', await timed(() => page({ source: 'hn' }))),
  ]
  const p95s: number[] = []
  const worst: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const times: number[] = []
    for (const part of keysOf(emails)) times.push(await timed(() => page({ part })))
    times.sort((a, b) => a - b)
    p95s.push(at(times, 0.95))
    worst.push(times.at(-1) ?? Number.NaN)
    // Somebody signs up between the searches, as on a day on which one looks.
    await store.list.add(email())
  }
  rows.push(
    {
      what: 'search of 1 M, each key, 95 of 100',
      figure: figure(p95s),
      unit: 'ms',
      budget: { must: 100, aim: 50, better: 'less' },
    },
    { what: 'search of 1 M, the slowest key', figure: figure(worst), unit: 'ms' },
  )
  await store.close()
  return { rows }
}

/** @returns some of their addresses, the first one first. */
async function fill(store: Store): Promise<string[]> {
  const emails: string[] = []
  for (let some = 0; some < MILLION / AT_ONCE; some += 1)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => {
        const one = email()
        if (i < SEARCHES / 10) emails.push(one)
        return store.list.add(one, {
          ...(i % 3 === 0 && { source: { source: sources[i % sources.length] ?? '' } }),
          ...(i % 97 === 0 && { suspicion: 'too-quick' }),
        })
      }),
    )
  return emails
}

/** What is asked while addresses, domains and what nobody has are typed, key by key. */
function keysOf(emails: readonly string[]): string[] {
  const typed = Array.from({ length: SEARCHES }, (_, i) => {
    const one = emails[Math.floor(Math.random() * emails.length)] ?? ''
    const domain = one.slice(one.indexOf('@'))
    return [one, domain, domain.slice(1), `nobody.${i}${domain}`][i % 4] ?? ''
  })
  return typed.flatMap((text) =>
    Array.from({ length: text.length }, (_, i) => text.slice(0, i + 1)),
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const ms = (what: string, value: number): Row => ({ what, figure: single(value), unit: 'ms' })
