/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people } from '../store/contracts/people.ts'
import { amount, chance, report, seed } from './form.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')
const KILLS = amount(4, 200)
/** More than a batch, so that a kill can come between two of them. */
const ROBOTS = 400
const LONGEST_LIFE_MS = 500

it('nobody is lost who signed up without signs, though releasing and erasing are killed', {
  timeout: amount(120_000, 1_800_000),
}, async (context) => {
  const random = chance(seed)
  const dataDir = tempDir()
  const file = join(dataDir, 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const env = { ...process.env, DATA_DIR: dataDir, LINK_KEY: linkKey.toString() }
  const tool = (args: readonly string[]) =>
    spawn(process.execPath, [main, 'quarantine', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  const stay = new Set<string>()
  await store.list.importAll(people(20))
  for (const { email } of people(20)) stay.add(email)
  let [inMidst, erased, released] = [0, 0, 0]
  for (let n = 0; n < KILLS; n++) {
    const end = n % 2 === 0 ? 'erase' : 'release'
    const robots = Array.from({ length: ROBOTS }, (_, i) => `robot${n}-${i}@${end}.example`)
    await Promise.all(robots.map((email) => store.list.add(email, { suspicion: 'hidden-field' })))
    const left = await countOf(end)
    const running = tool([`--${end}`, '--domain', `${end}.example`, '--yes-count', String(left)])
    const ended = once(running, 'exit')
    // Its count is read, and whoever comes back now comes in the midst of it.
    while (running.exitCode === null && (await countOf(end)) === left) await sleep(2)
    const back = robots.filter(() => random() < 0.1)
    await Promise.all(back.map((email) => store.list.add(email)))
    for (const email of back) stay.add(email)
    await sleep(random() * LONGEST_LIFE_MS)
    running.kill('SIGKILL')
    await ended

    const kept = whatIsKept(file)
    expect(kept.intact, `kill ${n}, seed ${seed}`).toBe(true)
    const lost = [...stay].filter((email) => !kept.emails.has(email))
    expect(lost, `kill ${n}, seed ${seed}`).toEqual([])
    for (const email of back) expect(await store.standings.of(email), email).toBeUndefined()
    const after = await countOf(end)
    if (after > 0 && after < left) inMidst += 1
    if (end === 'erase') erased += left - after
    else {
      released += left - after
      for (const email of robots) expect(kept.emails.has(email), email).toBe(true)
    }
  }

  // What was stopped is gone on with, and what was erased is in no file any more.
  for (const end of ['release', 'erase'] as const) {
    const left = await countOf(end)
    // A look that finds nobody cleans up as well.
    const yes = left > 0 ? ['--yes-count', String(left)] : []
    const args = [`--${end}`, '--domain', `${end}.example`, ...yes]
    expect(await once(tool(args), 'exit')).toEqual([0, null])
    expect(await countOf(end)).toBe(0)
  }
  const [bytes, log] = [readFileSync(file, 'latin1'), readFileSync(`${file}-wal`, 'latin1')]
  const known = new Set(`${bytes}${log}`.match(/robot\d+-\d+@erase\.example/g))
  expect([...known].filter((email) => !stay.has(email))).toEqual([])
  report(context, {
    done: 'kill -9 of the command that releases or erases the quarantined, while people sign up',
    times: KILLS,
    result: `0 of ${stay.size.toLocaleString('en')} people lost, ${erased.toLocaleString('en')} robots erased, ${released.toLocaleString('en')} released, ${inMidst} times stopped half-way (seed ${seed})`,
  })

  async function countOf(end: string) {
    let count = 0
    for await (const { email } of store.list.stream({ standing: 'quarantined' }))
      if (email.endsWith(`@${end}.example`)) count += 1
    return count
  }
})

function whatIsKept(file: string) {
  const db = new DatabaseSync(file, { readOnly: true })
  const [check] = db.prepare('PRAGMA integrity_check').all()
  const rows = db.prepare('SELECT email FROM subscribers').all()
  db.close()
  return {
    intact: check?.integrity_check === 'ok',
    emails: new Set(rows.map(({ email }) => String(email))),
  }
}
