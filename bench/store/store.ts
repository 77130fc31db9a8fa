import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { figure, ratio } from '../figures.ts'
import { workFolder } from '../processes.ts'
import { type Budget, type Findings, type Row, single } from '../report.ts'
import { measureCommands } from './commands.ts'

const GROUP = 64
const GROUPS_WHEN_EMPTY = 100
/** Several times the size of the write-ahead log, so that each round includes checkpoints. */
const GROUPS_WHEN_FILLED = 1000
const MILLION = 1_000_000
/** Large groups, because each rewrites most of an index in random order. */
const FILL = 20_000
const APP = 'opening-bell'

let visitors = 0
// Random letters first, like addresses of people: in the order of a counter an index has less work.
const email = () => `${Math.random().toString(36).slice(2, 10)}.${visitors++}@example.com`

/** The store alone, empty and with a million subscribers; with five in a full run. */
export async function measureStore(rounds: number, full: boolean): Promise<Findings> {
  const empty = await openIn('empty')
  const filled = await openIn('filled')
  const rows: Row[] = []
  let subscribers = 0

  for (const millions of full ? [1, 5] : [1]) {
    const name = `${millions} M`
    const started = performance.now()
    for (; subscribers < millions * MILLION; subscribers += FILL) await addAll(filled.store, FILL)
    rows.push(time(`filled up to ${name}`, (performance.now() - started) / 1000, 's'))
    const rates = { empty: [] as number[], filled: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      // A new one, since the empty one is not empty for long.
      const fresh = await openIn(`empty-${millions}-${round}`)
      rates.empty.push(await rate(fresh.store, GROUPS_WHEN_EMPTY))
      await fresh.store.close()
      rates.filled.push(await rate(filled.store, GROUPS_WHEN_FILLED))
    }
    const budget: Budget | undefined =
      millions === 5 ? { must: 0.4, aim: 0.6, better: 'more' } : undefined
    rows.push(
      { what: 'store, empty, groups of 64', figure: figure(rates.empty), unit: '/s' },
      { what: `store at ${name}`, figure: figure(rates.filled), unit: '/s' },
      {
        what: `store at ${name} over empty`,
        figure: ratio(rates.filled, rates.empty),
        unit: '×',
        ...(budget && { budget }),
      },
      time(`file at ${name}`, statSync(filled.place).size / MILLION, 'MB'),
      await finding(filled.store, name),
      await counting(filled.store, name),
    )
  }
  await empty.store.close()
  await filled.store.close()
  rows.push(await telling(rounds))
  return { rows: [...rows, ...(await measureCommands('empty', 'filled'))] }
}

/**
 * What it costs a sign-up that somebody is told of milestones, in time of the processor: what the disk
 * takes varies by more than that.
 */
async function telling(rounds: number): Promise<Row> {
  const [silent, told] = [await openIn('silent'), await openIn('told')]
  await told.store.notices.open(['webhook:nobody'], new Date())
  const times = { silent: [] as number[], told: [] as number[] }
  const sides = [
    ['silent', silent.store],
    ['told', told.store],
  ] as const
  for (let round = 0; round < 2 * rounds; round++)
    for (const [name, store] of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = process.cpuUsage()
      await rate(store, GROUPS_WHEN_EMPTY)
      const { user, system } = process.cpuUsage(before)
      times[name].push(user + system)
    }
  await Promise.all([silent.store.close(), told.store.close()])
  const what = 'processor time of a store that notes milestones over one that does not'
  return { what, figure: ratio(times.told, times.silent), unit: '×' }
}

async function openIn(name: string) {
  const dataDir = join(workFolder, 'store', name)
  mkdirSync(dataDir, { recursive: true })
  const opened = await openStore({
    kind: 'sqlite',
    dataDir,
    appId: APP,
    linkKey: keptLinkKey(dataDir),
    log: console.error,
  })
  // Until then there is no file, and a command would find no list.
  await opened.store.checkWritable()
  return opened
}

const addAll = (store: Store, count: number) =>
  Promise.all(Array.from({ length: count }, () => store.list.add(email())))

async function rate(store: Store, groups: number): Promise<number> {
  const started = performance.now()
  for (let group = 0; group < groups; group++) await addAll(store, GROUP)
  return (groups * GROUP * 1000) / (performance.now() - started)
}

async function finding(store: Store, name: string): Promise<Row> {
  const times = await timesOf(1000, () => store.list.find(email()))
  return { what: `find at ${name}`, figure: figure(times), unit: 'ms' }
}

async function counting(store: Store, name: string): Promise<Row> {
  const times = await timesOf(5, () => store.list.count())
  return { what: `count at ${name}`, figure: figure(times), unit: 'ms' }
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times
}

const time = (what: string, value: number, unit: string): Row => ({
  what,
  unit,
  figure: single(value),
})
