import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { answerIn, cameIn } from '../people/known-fields.ts'
import { referralIn } from '../people/referral.ts'
import { batches } from '../shared/batches.ts'
import type { CameGroup, WhoCame } from '../shared/came-counts.ts'
import { localDay } from '../shared/local-time.ts'
import { tellsNews } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'
import { temporaryDatabase } from '../store/temporary-database.ts'
import { MOST_NAMES } from '../store/visits.ts'
import { startsOf } from './growth.ts'

const BATCH = 500

/**
 * Counts who of those told became a user. Reads all deliveries and the whole list, in bounded memory.
 * The forgotten are in no count. @throws StoreUnavailable
 */
export async function whoCame(store: Pick<Store, 'list' | 'ledger' | 'visits'>): Promise<WhoCame> {
  const db = temporaryDatabase(`
    CREATE TABLE told (email TEXT PRIMARY KEY, at INTEGER NOT NULL, letter TEXT NOT NULL,
      isUncertain INTEGER NOT NULL) STRICT, WITHOUT ROWID`)
  try {
    const announcements = (await store.ledger.announcements()).toReversed()
    const names = announcements.map(({ id }) => id)
    await keepTold(db, store.ledger, names.filter(tellsNews))

    const find = db.prepare('SELECT at, letter, isUncertain FROM told WHERE email = ?')
    const [letters, sources, weeks] = [groups(), groups(), groups()]
    const [answers, friends] = [groups(), groups()]
    const all = { told: 0, uncertain: 0, came: 0 }
    const waits: number[] = []
    let others = 0
    for await (const batch of batches(store.list.stream({ standing: 'all' }), BATCH)) {
      const sourcesOf = await store.visits.sourcesOf(batch.map(({ email }) => email))
      for (const [i, { email, subscribedAt, extra }] of batch.entries()) {
        const told = find.get(email)
        const wait = Number(cameIn(extra) ?? Number.NaN) - Number(told?.at ?? Number.NaN)
        const hasCome = wait >= 0
        if (cameIn(extra) && !hasCome) others += 1
        if (!told) continue
        all.told += 1
        all.uncertain += Number(told.isUncertain)
        if (hasCome) {
          all.came += 1
          waits.push(wait)
        }
        letters.add(String(told.letter), hasCome)
        sources.add(sourcesOf[i]?.source, hasCome)
        weeks.add(mondayOf(subscribedAt), hasCome)
        answers.add(answerIn(extra), hasCome)
        friends.add(referralIn(extra) && FRIEND, hasCome)
      }
      await turn()
    }
    return {
      ...all,
      others,
      medianMs: waits.sort((a, b) => a - b)[Math.floor((waits.length - 1) / 2)] ?? null,
      letters: letters
        .all()
        .sort((a, b) => names.indexOf(a.name ?? '') - names.indexOf(b.name ?? '')),
      sources: mostFirst(sources.all()),
      answers: mostFirst(named(answers.all())),
      friends: mostFirst(named(friends.all())),
      weeks: byName(weeks.all()),
    }
  } finally {
    db.close()
  }
}

/** Keeps whom these announcements told, and when. */
async function keepTold(
  db: DatabaseSync,
  ledger: Store['ledger'],
  announcements: readonly string[],
) {
  // The first letter counts; any that surely arrived ends the doubt.
  const add = db.prepare(`
    INSERT INTO told VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET isUncertain = min(isUncertain, excluded.isUncertain)`)
  for (const id of announcements)
    for (const status of ['sent', 'uncertain'] as const)
      for await (const rows of batches(ledger.deliveries(id, status), BATCH)) {
        for (const { email, changedAt } of rows)
          if (email !== undefined)
            add.run(email, changedAt.getTime(), id, Number(status === 'uncertain'))
        await turn()
      }
}

const FRIEND = 'a friend'
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
