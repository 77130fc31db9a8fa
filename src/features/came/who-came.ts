import { setImmediate as turn } from 'node:timers/promises'
import { startsOf } from '../../audience/growth.ts'
import { groupings } from '../../people/known-fields.ts'
import { localDay } from '../../shared/local-time.ts'
import { type Recipient, tellsNews } from '../../store/delivery-ledger.ts'
import type { Store } from '../../store/store.ts'
import { MOST_NAMES } from '../../store/visits.ts'
import { CAME, cameIn } from './rules.ts'

/** Of people who were told, how many became users after it. */
export interface CameCount {
  readonly told: number
  readonly came: number
}

export interface CameGroup extends CameCount {
  /** Left out for those without one. */
  readonly name?: string
}

export interface WhoCame extends CameCount {
  /** How many of those told got a letter whose fate is not known. */
  readonly uncertain: number
  /** Users on the list who got no letter, or were users before it. */
  readonly others: number
  /** The median time from the letter to the account; `null` while nobody came. */
  readonly medianMs: number | null
  /** By the first letter that they got, in the order in which these began. */
  readonly letters: readonly CameGroup[]
  /** By where they came from to the list, the largest first. */
  readonly sources: readonly CameGroup[]
  /** By each of `groupings`, in their order; none where nobody has such a field. */
  readonly groups: readonly (readonly CameGroup[])[]
  /** By the Monday of the week in which they signed up, `2026-11-23` in this process's time zone. */
  readonly weeks: readonly CameGroup[]
}

/**
 * Counts who of those told became a user. Reads the whole list, in bounded memory. The forgotten are in
 * no count. @throws StoreUnavailable
 */
export async function whoCame({ ledger }: Pick<Store, 'ledger'>): Promise<WhoCame> {
  const announcements = (await ledger.announcements()).toReversed()
  const names = announcements.map(({ id }) => id)
  const news = names.filter(tellsNews)
  const [letters, sources, weeks] = [groups(), groups(), groups()]
  const byField = groupings.map(({ groupOf }) => ({ groupOf, found: groups() }))
  const all = { told: 0, uncertain: 0, came: 0 }
  const waits: number[] = []
  let others = 0
  for await (const page of ledger.everybody()) {
    for (const one of page) {
      const { subscribedAt, extra } = one
      const told = toldBy(one, news)
      const wait = waitOf(one, told)
      const hasCome = wait >= 0
      if (cameIn(extra) && !hasCome) others += 1
      if (!told) continue
      all.told += 1
      all.uncertain += Number(told.isUncertain)
      if (hasCome) {
        all.came += 1
        waits.push(wait)
      }
      letters.add(told.letter, hasCome)
      sources.add(one.source?.source, hasCome)
      weeks.add(mondayOf(subscribedAt), hasCome)
      for (const { groupOf, found } of byField) found.add(groupOf(extra), hasCome)
    }
    await turn()
  }
  return {
    ...all,
    others,
    medianMs: medianOf(waits),
    letters: letters
      .all()
      .sort((a, b) => names.indexOf(a.name ?? '') - names.indexOf(b.name ?? '')),
    sources: mostFirst(sources.all()),
    groups: byField.map(({ found }) => mostFirst(named(found.all()))),
    weeks: byName(weeks.all()),
  }
}

/** The same in short, once there is a letter. Reads users alone. @throws StoreUnavailable */
export async function cameInBrief({
  ledger,
}: Pick<Store, 'ledger'>): Promise<Pick<WhoCame, 'told' | 'came' | 'medianMs'> | undefined> {
  const announcements = (await ledger.announcements()).toReversed()
  if (announcements.length === 0) return undefined
  const news = announcements.map(({ id }) => id).filter(tellsNews)
  const waits: number[] = []
  for await (const page of ledger.everybody({ among: await ledger.under(CAME) }))
    for (const one of page) waits.push(waitOf(one, toldBy(one, news)))
  const came = waits.filter((wait) => wait >= 0)
  return { told: await ledger.countTold(news), came: came.length, medianMs: medianOf(came) }
}

/** From the letter until they became a user; not a number where one of these is not known. */
const waitOf = ({ extra }: Recipient, told: ReturnType<typeof toldBy>) =>
  Number(cameIn(extra) ?? Number.NaN) - Number(told?.at ?? Number.NaN)

const medianOf = (waits: number[]) =>
  waits.sort((a, b) => a - b)[Math.floor((waits.length - 1) / 2)] ?? null

/** The first letter with news that somebody got; any that surely arrived ends the doubt. @param news the oldest first. */
function toldBy({ letters }: Recipient, news: readonly string[]) {
  const told = letters
    .filter(({ announcement, status }) => news.includes(announcement) && ended.includes(status))
    .sort((a, b) => news.indexOf(a.announcement) - news.indexOf(b.announcement))
  const [first] = told
  if (!first) return undefined
  const isUncertain = told.every(({ status }) => status === 'uncertain')
  return { letter: first.announcement, at: new Date(first.changedAt), isUncertain }
}

const ended: readonly string[] = ['sent', 'uncertain']

/** All names beyond those that are kept apart. */
const OTHERS = '(others)'

const byName = (all: CameGroup[]) => all.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))

const mostFirst = (all: CameGroup[]) => all.sort((a, b) => b.told - a.told)

/** Where nobody has a name, there is nothing to compare. */
const named = (all: CameGroup[]) => (all.some(({ name }) => name !== undefined) ? all : [])

/** Counts by name. Links of strangers may have any name, so only so many are kept apart. */
function groups() {
  const counts = new Map<string | undefined, { told: number; came: number }>()
  return {
    add(name: string | undefined, hasCome: boolean) {
      const kept = counts.has(name) || counts.size < MOST_NAMES ? name : OTHERS
      const count = counts.get(kept) ?? { told: 0, came: 0 }
      counts.set(kept, count)
      count.told += 1
      if (hasCome) count.came += 1
    },
    all: (): CameGroup[] =>
      [...counts].map(([name, count]) => ({ ...(name !== undefined && { name }), ...count })),
  }
}

function mondayOf(time: Date): string {
  const [monday = time] = startsOf('week', time, 1)
  return localDay(monday)
}
