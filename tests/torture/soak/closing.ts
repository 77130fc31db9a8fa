import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseKeepRule } from '../../../src/shared/keep-rule.ts'
import { keptTimes } from '../../../src/upkeep/back-up/keep-rule.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { whatIsWrong } from './balance.ts'
import { announceStage } from './events/announcement.ts'
import { backUp, copiesOf, KEEP } from './events/back-up.ts'
import type { Life } from './life.ts'
import { askedIn, type ListRecord, recordOf } from './record.ts'

/** Letters that a killed announcement, or a killed server, leaves in the air at most. */
const IN_THE_AIR = 5

/** Everybody goes home; every letter that can leave leaves, and whoever is new is told. */
export async function settle(life: Life) {
  const { visitors, house, counts } = life
  visitors.stop()
  await visitors.gone()
  // What a server was sending that was killed, or could not note it, is due again only a while later.
  const cutShort = IN_THE_AIR * ((counts.get('kill') ?? 0) + (counts.get('full disk') ?? 0))
  const waiting = () => askedIn(house.databaseFile).waiting.size
  await expect.poll(waiting, { timeout: 300_000 }).toBeLessThanOrEqual(cutShort)
  // A letter that was cut short may come after the last stage: nobody would tell who answers it.
  visitors.lookNoMore()
  await visitors.gone()
  await announceStage(life, { includesNew: true })
  await visitors.gone()
}

/** The one balance: what everybody knows of themselves, and what list, ledger and letters say. */
export async function expectBalance(life: Life): Promise<ListRecord> {
  const { people, house, counts } = life
  expect(people.broken.join('\n'), 'what nobody may see').toBe('')
  const record = await recordOf(life)
  const { isIntact, ...asked } = askedIn(house.databaseFile)
  expect(isIntact, 'the file').toBe(true)
  const inTheAir = IN_THE_AIR * (counts.get('killed announcement') ?? 0)
  expect(whatIsWrong(people.all, record, asked, inTheAir).join('\n'), 'the balance').toBe('')
  expect(house.log()).not.toContain('@')
  return record
}

/** The copies are those that the rule keeps, and the last one is the list, on another machine as well. */
export async function expectSameElsewhere(life: Life, record: ListRecord) {
  await backUp(life)
  const copies = copiesOf(life)
  const times = copies.map(({ at }) => at)
  const rule = parseKeepRule(KEEP) ?? { days: 0, weeks: 0, months: 0 }
  expect(new Set(times)).toEqual(keptTimes(times, rule))
  const elsewhere = join(tempDir(), 'data')
  mkdirSync(elsewhere, { mode: 0o700 })
  const newest = join(life.copies, copies.at(-1)?.name ?? '')
  const sealKey = readFileSync(join(life.house.dataDir, 'seal.key')).toString('base64')
  const settings = { DATA_DIR: elsewhere, BACKUP_SEAL_KEY: sealKey }
  await life.command(['restore', newest], settings)
  expect(await recordOf(life, elsewhere)).toEqual(record)
  const asked = (file: string) => {
    const { waiting, pending } = askedIn(file)
    return new Set([...waiting, ...pending])
  }
  expect(asked(join(elsewhere, 'subscribers.sqlite'))).toEqual(asked(life.house.databaseFile))
  // With another one, no link in any letter would lead anywhere.
  const key = (folder: string) => readFileSync(join(folder, 'link.key'))
  expect(key(elsewhere)).toEqual(key(life.house.dataDir))
}
