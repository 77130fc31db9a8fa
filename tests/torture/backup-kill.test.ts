/** @module-tag long */
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { parseKeepRule } from '../../src/shared/keep-rule.ts'
import { checkCopy } from '../../src/store/sqlite/copy.ts'
import { copiesIn } from '../../src/upkeep/back-up/copy-folder.ts'
import { keptTimes } from '../../src/upkeep/back-up/keep-rule.ts'
import { run } from '../fixtures/run.ts'
import { keptFolder } from '../upkeep/back-up/kept-folder.ts'
import { amount, chance, report, seed } from './form.ts'

const KILLS = amount(6, 100)
const DAY_MS = 86_400_000
const KEEP = '3,2,2'
const SUBSCRIBERS = 400
/** A night takes some tens of milliseconds. */
const WITHIN_MS = 250

it('back-ups survive kills at any moment: none half there, no good one lost', {
  timeout: 60_000 + KILLS * 10_000,
}, async (context) => {
  const { to, dataDir, store, keep, rehearse } = await keptFolder(SUBSCRIBERS)
  const rule = parseKeepRule(KEEP) ?? { days: 0, weeks: 0, months: 0 }
  const random = chance(seed)
  let before: Date[] = []
  let night = Date.parse('2026-01-05T03:10:00Z')
  let nights = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const program = run(process.cwd(), [
      process.execPath,
      join(import.meta.dirname, 'back-up/nights.ts'),
      ...[dataDir, to, KEEP, new Date(night).toISOString()],
    ])
    await program.printed(/begun/)
    // The moment is chance.
    await sleep(random() * WITHIN_MS)
    program.signalGroup('SIGKILL')
    await program.ended

    const found = copiesIn(to, 'test')
    for (const { name } of found) {
      const { counts } = checkCopy(join(to, name), 'test', false)
      expect(counts.subscribers, name).toBe(SUBSCRIBERS)
      expect(statSync(join(to, name)).mode & 0o777, name).toBe(0o600)
    }
    // What the rule keeps of all that there has been is still there.
    const times = found.map(({ at }) => at)
    const all = [...new Map([...before, ...times].map((at) => [at.getTime(), at])).values()]
    const there = new Set(times.map(Number))
    for (const at of keptTimes(all, rule)) expect(there, at.toISOString()).toContain(Number(at))
    before = times
    const last = Math.max(night - DAY_MS, ...times.map(Number))
    nights += (last + DAY_MS - night) / DAY_MS
    night = last + DAY_MS
  }
  // The next night's run, if it is left alone, puts all in order.
  const lastNight = new Date(Date.now() - DAY_MS)
  for (const name of readdirSync(to).filter((one) => one.includes('.part')))
    utimesSync(join(to, name), lastNight, lastNight)
  const day = new Date(night).toISOString().slice(0, 10)
  expect((await keep(day, { keep: KEEP })).code).toBe(0)
  const times = copiesIn(to, 'test').map(({ at }) => at)
  expect(new Set(times.map(Number))).toEqual(new Set([...keptTimes(times, rule)].map(Number)))
  expect(readdirSync(to).filter((name) => name.includes('.part'))).toEqual([])
  expect(readdirSync(dataDir).filter((name) => /backup-(?!lock)/.test(name))).toEqual([])
  const known = (await store.backups.record()).kept.map(({ name }) => name)
  // Of a killed run, the note of a copy that never had its name may stay.
  expect(known).toEqual(expect.arrayContaining(readdirSync(to)))
  expect(times.at(-1)).toEqual(new Date(night))
  expect((await rehearse()).code).toBe(0)
  report(context, {
    done: `kill -9 while back-ups are made and old ones removed`,
    times: KILLS,
    result: `${nights} nights: every copy whole, none lost that the rule keeps, nothing left over`,
  })
})
