import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keptLinkKey } from '../src/keys/link-key.ts'
import product from '../src/product/product.ts'
import { inDataFolder } from '../src/shared/data-folder.ts'
import { openStore } from '../src/store/open-store.ts'
import { type Findings, type Row, single } from './report.ts'
import { dataFolder } from './work-folder.ts'

const AT_ONCE = 500
const DAY_MS = 86_400_000
/** Sign-ups come over as many days. */
const DAYS = 400

const letter = `---
subject: We are live
from: The team <team@example.org>
---
# Come in
`

/** What was used until a process ended. */
interface Used {
  readonly seconds: number
  readonly processor: number
  /** The most memory, in megabytes. */
  readonly memory: number
}

/**
 * What takes as long as the list is: the operator's commands, and the pages of the desk. Each is also
 * compared with reading all rows in the same run.
 */
export async function measureMillion(people: number): Promise<Findings> {
  const dataDir = dataFolder('million')
  const { appId } = product
  const open = () =>
    openStore({ dataDir, appId, linkKey: keptLinkKey(dataDir), log: console.error })
  const { store } = await open()
  for (let n = 0; n < people; n += AT_ONCE)
    await store.list.importAll(Array.from({ length: AT_ONCE }, (_, i) => someone(n + i, people)))
  await store.close()

  const all = readAll(join(dataDir, inDataFolder.list))
  const file = join(dataDir, 'launch.md')
  writeFileSync(file, letter)
  const rows: Row[] = []
  const add = (what: string, value: number, unit: string, must?: number, aim?: number) =>
    rows.push({
      ...{ what, unit, figure: single(value) },
      ...(must && aim && { budget: { must, aim, better: 'less' as const } }),
    })
  add('reading all rows', all, 's')
  for (const [args, must, aim] of [
    [['status'], 1, 0.5],
    [['list'], 4, 2],
    [['find', someone(7, people).email], undefined, undefined],
  ] as const) {
    const used = command(args, dataDir)
    add(args[0], used.seconds, 's', must, aim)
    add(`${args[0]} over reading all rows`, used.seconds / all, '×')
  }
  const dryRun = command(['announce', file, '--dry-run'], dataDir)
  add('dry run, of processor', dryRun.processor, 's', 20, 10)
  add('dry run, memory', dryRun.memory, 'MB', 200, 150)
  const { store: desk } = await open()
  add('first page of people', await seconds(() => desk.people.page({ limit: 50 })), 's', 1, 0.5)
  const searched = () => desk.people.page({ part: 'visitor17@', limit: 50 })
  add('search of an address by a part', await seconds(searched), 's')
  await desk.close()
  return { rows, notes: [`${people.toLocaleString('en')} people, signed up over ${DAYS} days`] }
}

const someone = (n: number, people: number) => ({
  email: `visitor${n}@example${n % 97}.com`,
  subscribedAt: new Date(Date.now() - DAY_MS * DAYS * (1 - n / people)),
  ...(n % 3 === 0 && { extra: { firstName: 'Ada', language: 'de' } }),
  ...(n % 5 === 0 && { source: { source: 'hn' } }),
  ...(n % 50 === 0 && { standing: 'bounced' as const }),
})

async function seconds(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** Reads every person and record as SQLite gives them. @returns seconds. */
function readAll(file: string): number {
  const begun = performance.now()
  const db = new DatabaseSync(file, { readOnly: true })
  let bytes = 0
  for (const table of ['persons', 'documents'])
    for (const { data } of db.prepare(`SELECT data FROM ${table}`).iterate())
      bytes += String(data).length
  db.close()
  if (bytes === 0) throw new Error('The list is empty.')
  return (performance.now() - begun) / 1000
}

/** What the tool itself says at its end of the time and the memory that it used. */
const REPORT = `data:text/javascript,
  import { writeSync } from 'node:fs';
  process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))`

/** The operator's tool, without a mail server: a dry run tells of that, and goes on. */
function command(args: readonly string[], dataDir: string): Used {
  const begun = performance.now()
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    SMTP_URL: 'smtp://127.0.0.1:9',
    UNSUBSCRIBE_URL: 'https://localhost.invalid/unsubscribe',
  }
  const all = ['--import', REPORT, join('src', 'cli', 'main.ts'), ...args]
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const
  const { output } = spawnSync(process.execPath, all, { env, stdio: [...stdio] })
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(String(output[3]))
  return {
    seconds: (performance.now() - begun) / 1000,
    processor: (userCPUTime + systemCPUTime) / 1e6,
    memory: (maxRSS * 1024) / 1e6,
  }
}
