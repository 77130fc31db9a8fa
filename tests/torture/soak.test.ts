/** @module-tag long */
import { expect, it } from 'vitest'
import { amount, chance, isLong, report, seed } from './form.ts'
import { expectBalance, expectSameElsewhere, settle } from './soak/closing.ts'
import { announcement } from './soak/events/announcement.ts'
import { backUp, rehearse } from './soak/events/back-up.ts'
import { floodOfConnections, floodOfMany, floodOfOne } from './soak/events/floods.ts'
import { fullDisk } from './soak/events/full-disk.ts'
import { leaving } from './soak/events/leaving.ts'
import { deploy, kill, rollOver } from './soak/events/lives.ts'
import { open, openAtTime } from './soak/events/opening.ts'
import { update } from './soak/events/update.ts'
import { beginLife, type Life } from './soak/life.ts'
import type { ListRecord } from './soak/record.ts'
import { type Happening, happenings, live, plannedWeek } from './soak/week.ts'

/** Of the long form; fewer, to look whether it holds. */
const MINUTES = Number(process.env.SOAK_MINUTES || 60)
const DAYS = amount(2, 7)
/** How many days the first server lives, whose memory is measured. */
const CALM_DAYS = amount(1, 3)
const DAY_MS = amount(3000, (MINUTES * 60_000) / 7)
const SIGN_UPS_A_SECOND = amount(8, 5)
const KILLS_A_DAY = amount(1, 4)
/** More than at the beginning; a life of some seconds is still warming up. */
const MORE_MEMORY = amount(0.25, 0.1)
/** In MB, what the system may have given: as `floods` has it, for as many connections. */
const MOST_MEMORY = 480

const events: Readonly<Record<Happening, (life: Life) => Promise<unknown>>> = {
  'flood of many': floodOfMany,
  'flood of one': floodOfOne,
  'flood of connections': floodOfConnections,
  'full disk': fullDisk,
  'back-up': backUp,
  rehearsal: rehearse,
  leaving,
  announcement,
  'opening planned': openAtTime,
  opening: open,
  deploy,
  'roll-over': rollOver,
  update,
  kill,
  memory: async ({ memory, house }) => memory.push(await house.memory()),
}

it('lives a week in an hour: everybody who was thanked is there or asked to go, nobody was told twice', {
  timeout: amount(300_000, (MINUTES + 60) * 60_000),
}, async (context) => {
  const form = { days: DAYS, calmDays: CALM_DAYS, dayMs: DAY_MS, aSecond: SIGN_UPS_A_SECOND }
  const life = await beginLife({ seed, ...form })
  const plan = plannedWeek(DAYS, CALM_DAYS, KILLS_A_DAY, chance(seed))
  await live(plan, life.clock, async (what) => {
    await events[what](life)
    life.count(what)
  })
  await settle(life)
  const record = await expectBalance(life)
  await expectSameElsewhere(life, record)
  for (const what of happenings) expect([...life.counts.keys()]).toContain(what)
  const [before, after] = life.memory
  expect(after?.live, JSON.stringify(life.memory)).toBeLessThan(
    (1 + MORE_MEMORY) * (before?.live ?? 0),
  )
  expect(after?.resident).toBeLessThan(MOST_MEMORY)
  sayWhatCameOfIt(life, record, (line) => report(context, line))
})

function sayWhatCameOfIt(life: Life, { rows }: ListRecord, say: (line: Line) => void) {
  const everybody = [...life.people.all.values()]
  const many = (is: (one: (typeof everybody)[number]) => boolean) =>
    everybody.filter(is).length.toLocaleString('en')
  const times = (what: string) => life.counts.get(what) ?? 0
  const uncertain = [...rows.values()].filter((status) => status === 'uncertain').length
  const minutes = Math.round((DAYS * DAY_MS) / 6000) / 10
  say({
    done: `${isLong ? 'a week' : 'two days'} in ${minutes} minutes, and one balance: sign-ups`,
    times: life.visitors.thanked(),
    result: `0 of ${many(({ thanked }) => thanked !== undefined)} thanked were lost; ${many(({ told }) => told === 1)} were told once, nobody twice, ${uncertain} are uncertain; ${many(({ hasConfirmed }) => hasConfirmed)} confirmed, ${many(({ gone }) => gone?.how === 'unsubscribed')} unsubscribed, ${many(({ gone }) => gone?.how === 'forgotten')} were forgotten; the last copy is the same elsewhere (seed ${seed})`,
  })
  const floods = times('flood of many') + times('flood of one') + times('flood of connections')
  say({
    done: 'what happened in it beside the traffic of a day',
    times: [...life.counts.values()].reduce((sum, count) => sum + count, 0),
    result: `${floods} floods, ${times('kill')} kills, ${times('deploy') + times('roll-over')} deploys, ${times('update')} update, ${times('back-up')} back-ups and ${times('rehearsal')} rehearsals, the disk full ${times('full disk')} times, ${times('announcement')} stages of an announcement with ${times('killed announcement')} kills, an opening at a time and undone; ${life.mail.letters().toLocaleString('en')} letters`,
  })
  const [before, after] = life.memory.map(
    ({ live, resident }) => `${live.toFixed(1)} MB live, ${resident.toFixed(0)} MB in all`,
  )
  say({
    done: `memory of one server after its first day and after ${CALM_DAYS}, garbage collected`,
    times: 1,
    result: `${before}; then ${after}`,
  })
}

type Line = Parameters<typeof report>[1]
