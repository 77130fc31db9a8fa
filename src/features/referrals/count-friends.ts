import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { consentIn } from '../../people/pending.ts'
import { mailboxOf } from '../../shared/address-folding.ts'
import { batches } from '../../shared/batches.ts'
import type { Store } from '../../store/store.ts'
import { temporaryDatabase } from '../../store/temporary-database.ts'
import { letDaysIn, referralDay, referralIn } from './rules.ts'

/** More friends of one link in a day (in UTC) than this are looked at before they count. */
export const MOST_A_DAY = 10

/**
 * Why a friend does not count. `mailbox`: it is that of somebody who was on the list before, such as the
 * owner of the link. `ring`: by their own link, they referred an address of the owner's mailbox.
 * `nobody`: the owner of the link is not on the list.
 */
const refusals = ['mailbox', 'ring', 'nobody'] as const

export type Refusal = (typeof refusals)[number]

/**
 * Why the friends of a day wait for the operator: there are many, or some have signs of a robot, or came
 * by the links of several, so that nobody knows whose friends they are.
 */
const heldReasons = ['many', 'signs', 'contested'] as const

export type HeldReason = (typeof heldReasons)[number]

/** A day of one personal link that waits. */
export interface HeldDay {
  /** Whose link it is. */
  readonly email: string
  /** In UTC, such as `2026-11-25`. */
  readonly day: string
  /** How many friends wait. */
  readonly number: number
  readonly why: HeldReason
}

/** Who referred the most. */
export interface Bringer {
  readonly email: string
  /** How many friends count. */
  readonly credited: number
}

/** What became of those who came by a personal link. */
export interface ReferralCounts {
  /** How many people have a personal link: all who confirmed. */
  readonly links: number
  /** By how many of these somebody came and confirmed. */
  readonly used: number
  /** Friends who are asked, and have yet to confirm. */
  readonly asked: number
  /** Friends who confirmed: the sum of the next three. */
  readonly confirmed: number
  readonly credited: number
  readonly held: number
  readonly refused: Readonly<Record<Refusal, number>>
  /** The largest first, a thousand at most. */
  readonly heldDays: readonly HeldDay[]
  /** The first twenty. */
  readonly bringers: readonly Bringer[]
}

const BATCH = 500
const MOST_HELD_DAYS = 1000
const MOST_BRINGERS = 20

export interface Referrals {
  readonly counts: ReferralCounts
  /** How many friends of each address count; nobody who has none is in it. */
  readonly referred: ReadonlyMap<string, number>
}

/**
 * Counts who came by whose personal link, and what of that counts. Reads the whole list and all
 * pending requests.
 * @throws StoreUnavailable
 */
export async function readReferrals(
  store: Pick<Store, 'list' | 'requests'>,
  addressIdOf: (email: string) => string,
): Promise<Referrals> {
  const db = temporaryDatabase(`
    CREATE TABLE mailboxes (mailbox TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE owners (id TEXT PRIMARY KEY, email TEXT NOT NULL, mailbox TEXT NOT NULL)
      STRICT, WITHOUT ROWID;
    CREATE TABLE letDays (id TEXT, day TEXT, PRIMARY KEY (id, day)) STRICT, WITHOUT ROWID;
    CREATE TABLE friends (id TEXT PRIMARY KEY, owner TEXT NOT NULL, day TEXT NOT NULL,
      mailbox TEXT NOT NULL, isFirst INTEGER NOT NULL, hasSigns INTEGER NOT NULL,
      isContested INTEGER NOT NULL)
      STRICT, WITHOUT ROWID`)
  try {
    let asked = 0
    for await (const pending of store.requests.pending())
      if (pending.referredBy && !pending.confirmedAt) asked += 1

    await fill(db, store, addressIdOf)
    db.exec(`CREATE INDEX "by owner" ON friends (owner, mailbox); ${VERDICTS}`)
    return resultIn(db, asked)
  } finally {
    db.close()
  }
}

/** Puts everybody on the list into the tables. */
async function fill(
  db: DatabaseSync,
  { list }: Pick<Store, 'list'>,
  addressIdOf: (email: string) => string,
): Promise<void> {
  const addMailbox = db.prepare('INSERT OR IGNORE INTO mailboxes VALUES (?)')
  const addOwner = db.prepare('INSERT OR IGNORE INTO owners VALUES (?, ?, ?)')
  const addLetDay = db.prepare('INSERT OR IGNORE INTO letDays VALUES (?, ?)')
  const addFriend = db.prepare('INSERT OR IGNORE INTO friends VALUES (?, ?, ?, ?, ?, ?, ?)')
  for await (const batch of batches(list.stream({ standing: 'all' }), BATCH)) {
    for (const { email, extra } of batch) {
      const mailbox = mailboxOf(email)
      const isFirst = addMailbox.run(mailbox).changes
      // Who took a confirmation back neither referred anybody nor was referred.
      if (!consentIn(extra)) continue
      const id = addressIdOf(email)
      addOwner.run(id, email, mailbox)
      for (const day of letDaysIn(extra)) addLetDay.run(id, day)
      const { by, at, hasSigns, isContested } = referralIn(extra) ?? {}
      const doubts = [Number(hasSigns), Number(isContested)] as const
      if (by && at) addFriend.run(id, by, referralDay(at), mailbox, isFirst, ...doubts)
    }
    await turn()
  }
}

function resultIn(db: DatabaseSync, asked: number): Referrals {
  const all = (sql: string) => db.prepare(sql).all() as unknown[]
  const number = (sql: string) => Number(db.prepare(sql).get()?.n)
  const refused = (why: Refusal) =>
    number(`SELECT count(*) AS n FROM verdicts WHERE verdict = '${why}'`)
  const credited = all(`
    SELECT email, count(*) AS n FROM verdicts JOIN owners ON owners.id = owner
    WHERE verdict = 'credited' GROUP BY owner ORDER BY n DESC, email`) as Credit[]
  return {
    counts: {
      links: number('SELECT count(*) AS n FROM owners'),
      used: number(`SELECT count(DISTINCT owner) AS n FROM verdicts WHERE verdict <> 'nobody'`),
      asked,
      confirmed: number('SELECT count(*) AS n FROM verdicts'),
      credited: credited.reduce((sum, { n }) => sum + n, 0),
      held: number(`SELECT count(*) AS n FROM verdicts WHERE verdict IN (${HELD})`),
      refused: Object.fromEntries(refusals.map((why) => [why, refused(why)])) as Record<
        Refusal,
        number
      >,
      heldDays: (
        all(`
          SELECT email, day, verdict AS why, count(*) AS number
          FROM verdicts JOIN owners ON owners.id = owner WHERE verdict IN (${HELD})
          GROUP BY owner, day, verdict ORDER BY number DESC, day, email
          LIMIT ${MOST_HELD_DAYS}`) as HeldDay[]
      ).map((one) => ({ ...one })),
      bringers: credited
        .slice(0, MOST_BRINGERS)
        .map(({ email, n }): Bringer => ({ email, credited: n })),
    },
    referred: new Map(credited.map(({ email, n }) => [email, n])),
  }
}

interface Credit {
  readonly email: string
  readonly n: number
}

const HELD = heldReasons.map((why) => `'${why}'`).join(', ')

/** Only friends who would count use up the limit of a day, so that nobody can hold another's day cheaply. */
const VERDICTS = `
  CREATE TABLE verdicts AS
  WITH judged AS (
    SELECT friends.owner, day, hasSigns, isContested,
      CASE
        WHEN owners.id IS NULL THEN 'nobody'
        WHEN NOT isFirst OR friends.mailbox = owners.mailbox THEN 'mailbox'
        WHEN EXISTS (SELECT 1 FROM friends AS back
          WHERE back.owner = friends.id AND back.mailbox = owners.mailbox) THEN 'ring'
      END AS refusal
    FROM friends LEFT JOIN owners ON owners.id = friends.owner
  )
  SELECT owner, day, CASE
      WHEN refusal IS NOT NULL THEN refusal
      WHEN EXISTS (SELECT 1 FROM letDays WHERE letDays.id = owner AND letDays.day = judged.day)
        THEN 'credited'
      WHEN sum(refusal IS NULL) OVER (PARTITION BY owner, day) > ${MOST_A_DAY} THEN 'many'
      WHEN hasSigns THEN 'signs'
      WHEN isContested THEN 'contested'
      ELSE 'credited'
    END AS verdict
  FROM judged`
