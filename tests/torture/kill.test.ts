/** @module-tag thorough */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { crowd } from './crowd.ts'
import { readFileLeft } from './file-left.ts'
import { amount, chance, report, seed } from './form.ts'

const KILLS = amount(4, 200)
/** After so many, it starts with an empty folder again: making the file is dangerous, too. */
const KILLS_OF_ONE_FILE = amount(2, 20)
const LONGEST_LIFE_MS = 600
const LEAST_THANKED = 5
const MORE_THANKED = 40

it('everybody who was thanked is there, though the server is killed at random moments under load', async (context) => {
  const random = chance(seed)
  const root = copyOfServer()
  const check = tempDir()
  let everThanked = 0
  let site: RunningSite | undefined
  onTestFinished(() => site?.stop())
  let thanked: string[] = []
  for (let n = 0; n < KILLS; n++) {
    if (site && n % KILLS_OF_ONE_FILE !== 0) await site.restart('0')
    else {
      await site?.stop()
      site = await startSite({ root, env: { LOG_LEVEL: 'warn' } })
      thanked = []
    }
    const visitors = crowd(site.url, `life-${n}`)
    // One life ends at any time, the next in the midst of sign-ups.
    if (n % 2 === 0) await sleep(random() * LONGEST_LIFE_MS)
    else await visitors.thanks(LEAST_THANKED + random() * MORE_THANKED)
    await site.kill()
    await visitors.stop()
    thanked.push(...visitors.thanked)
    everThanked += visitors.thanked.length
    const { intact, found = [] } = readFileLeft(site.databaseFile, join(check, String(n)), (db) =>
      db.prepare('SELECT email FROM subscribers').all(),
    )
    const kept = new Set(found.map(({ email }) => email))
    expect(intact, `kill ${n}, seed ${seed}`).toBe(true)
    expect(thanked.filter((email) => !kept.has(email))).toEqual([])
    expect(site.log()).toBe('')
  }
  expect(everThanked).toBeGreaterThan(KILLS)
  report(context, {
    done: `kill -9 of the server at a random moment under load`,
    times: KILLS,
    result: `0 of ${everThanked.toLocaleString('en')} thanked were lost, every file intact (seed ${seed})`,
  })
})
