import { Timestamp } from '@google-cloud/firestore'
import { type AddressIds, isAddressId } from '../../keys/address-id.ts'
import { sourceFrom } from '../../shared/source.ts'
import { answerIn } from '../answers.ts'
import { extraFrom } from '../extra.ts'
import type { People, PeopleWanted, PersonListed } from '../people.ts'
import { takePage } from '../roll/page.ts'
import { placeAfter, placeIn } from '../roll/place.ts'
import { emptyRoll, type Roll, type RollEntry } from '../roll/roll.ts'
import { type MergedRecord, subscribersAmong } from './address-scan.ts'
import type { FirestoreConnection } from './connection.ts'
import { inForce, knownIn } from './known.ts'
import { departuresIn, type KnownBeyond, knownBeyond } from './known-beyond.ts'
import { pendingIn } from './outbox.ts'
import { rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import { type FirestoreRecords, microseconds } from './records.ts'
import { summarised } from './summary.ts'

/** All addresses as of some time. Reading them costs two reads a thousand, see `summary.ts`. */
interface Kept {
  readonly roll: Roll
  /** When each last signed up, by row; 0 for imported ones. */
  readonly last: Float64Array
  /** Whether they came by an import alone, by row. */
  readonly isImported: Uint8Array
  readonly asOf: number
  /** Read at the first search by standing. */
  beyond?: Promise<KnownBeyond>
  readonly ofSource: Map<string, Promise<ReadonlySet<string>>>
  /** What people answered, by their ids; read at the first search by answer. */
  answers?: Promise<ReadonlyMap<string, string>>
  /** How many searches use it at the moment. */
  searches: number
}

/** The list is read again after a minute, and after a minute more for each 100,000 people. */
const KEPT_MS = 60_000
const PEOPLE_A_MINUTE = 100_000
/** More than the people with the same time. */
const RANKS = 8e9
const RECENT = 5000

export function firestorePeople(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  addressIds: AddressIds,
): People {
  const { db, use } = connection
  const recent = new Map<string, string>()
  let kept: Kept | undefined
  let loading: Promise<Kept> | undefined

  async function load(): Promise<Kept> {
    const asOf = Date.now()
    const all: MergedRecord[] = []
    for await (const one of subscribersAmong(summarised(connection, paths, records))) all.push(one)
    all.sort((a, b) => microseconds(b.at) - microseconds(a.at) || (a.email < b.email ? 1 : -1))
    const roll = emptyRoll(addressIds)
    const last = new Float64Array(all.length)
    const isImported = new Uint8Array(all.length)
    let same = 0
    for (const [row, { email, at, last: signedUp, page }] of all.entries()) {
      const next = all[row - 1]
      // People with the same time get a rank among them.
      same = next && microseconds(next.at) === microseconds(at) ? same - 1 : RANKS
      roll.add({ email, at: microseconds(at), id: same })
      last[row] = signedUp ? microseconds(signedUp) : 0
      isImported[row] = page ? 0 : 1
    }
    const before = kept
    kept = { roll, last, isImported, asOf, ofSource: new Map(), searches: 0 }
    if (before) letGo(before)
    return kept
  }

  /** Closes a list that no search uses any more. */
  function letGo(one: Kept) {
    if (one === kept || one.searches > 0) return
    one.beyond?.then((beyond) => beyond.close()).catch(() => {})
    delete one.beyond
  }

  async function current(): Promise<Kept> {
    const stays = KEPT_MS * Math.max(1, (kept?.roll.size ?? 0) / PEOPLE_A_MINUTE)
    if (kept && Date.now() - kept.asOf < stays) return kept
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  function orAgain<T>(asked: Promise<T>, forget: () => void): Promise<T> {
    asked.catch(forget)
    return asked
  }

  function beyondOf(now: Kept): Promise<KnownBeyond> {
    now.beyond ??= orAgain(knownBeyond(connection, departuresIn(paths)), () => {
      delete now.beyond
    })
    return now.beyond
  }

  function idsFrom(now: Kept, source: string): Promise<ReadonlySet<string>> {
    const known = now.ofSource.get(source)
    if (known) return known
    const asked = orAgain(idsWith(source), () => now.ofSource.delete(source))
    now.ofSource.set(source, asked)
    return asked
  }

  /** A read for each person of whom anything is known beside the record. */
  function answersOf(now: Kept): Promise<ReadonlyMap<string, string>> {
    const read = async () => {
      const answers = new Map<string, string>()
      for await (const one of rowsIn(connection, paths.suppressions.select('extra'))) {
        const answer = answerIn(extraFrom(one.get('extra')))
        if (answer !== undefined) answers.set(one.id, answer)
      }
      return answers
    }
    now.answers ??= orAgain(read(), () => {
      delete now.answers
    })
    return now.answers
  }

  /** A read for each of them. */
  async function idsWith(source: string): Promise<ReadonlySet<string>> {
    const query = paths.sources.where('source', '==', source).select()
    const ids = new Set<string>()
    for await (const { id } of rowsIn(connection, query)) ids.add(id)
    return ids
  }

  /** Two reads for each person, for their standing now. */
  async function listed(now: Kept, entries: readonly RollEntry[]): Promise<PersonListed[]> {
    if (entries.length === 0) return []
    const ids = entries.map((one) => now.roll.addressIdOf(one))
    const documents = await use(() =>
      db.getAll(
        ...ids.map((id) => paths.suppressions.doc(id)),
        ...ids.map((id) => paths.sources.doc(id)),
      ),
    )
    return entries.flatMap(({ email, at, row }, i) => {
      const addressId = ids[i] ?? ''
      const stands = inForce(knownIn(documents[i]), timeOf(now.last[row]))
      // Forgotten since the addresses were read.
      if (stands?.standing === 'forgotten') {
        now.roll.drop(row)
        return []
      }
      remember(addressId, email)
      const source = sourceFrom(documents[ids.length + i]?.data())
      const { standing = 'subscribed', at: standingAt, detail } = stands ?? {}
      return {
        email,
        addressId,
        subscribedAt: new Date(Math.floor(at / 1000)),
        standing,
        ...(standingAt && { standingAt }),
        ...(detail !== undefined && { detail }),
        ...(source && { source }),
        ...(now.isImported[row] === 1 && { isImported: true as const }),
      }
    })
  }

  function remember(addressId: string, email: string) {
    recent.delete(addressId)
    recent.set(addressId, email)
    const [oldest] = recent.keys()
    if (recent.size > RECENT && oldest !== undefined) recent.delete(oldest)
  }

  async function people(wanted: PeopleWanted) {
    const now = await current()
    now.searches += 1
    try {
      return await peopleIn(now, wanted)
    } finally {
      now.searches -= 1
      letGo(now)
    }
  }

  async function peopleIn(now: Kept, wanted: PeopleWanted) {
    const { part, standing, source, isAnswer, since, until, after, limit, signal } = wanted
    signal?.throwIfAborted()
    const beyond = standing ? await beyondOf(now) : undefined
    const only = source === undefined ? undefined : await idsFrom(now, source)
    const answers = isAnswer && (await answersOf(now))
    const from = since ? since.getTime() * 1000 : Number.NEGATIVE_INFINITY
    const to = until ? until.getTime() * 1000 : Number.POSITIVE_INFINITY
    const place = placeIn(after)

    const isWanted = (entry: RollEntry) => {
      if (entry.at < from || entry.at >= to) return false
      if (!standing && !only && !answers) return true
      const addressId = now.roll.addressIdOf(entry)
      if (only && !only.has(addressId)) return false
      const said = answers?.get(addressId)
      if (isAnswer && (said === undefined || !isAnswer(said))) return false
      if (!beyond || !standing) return true
      const stands = beyond.isAny && inForce(beyond.of(addressId), timeOf(now.last[entry.row]))
      return (stands ? stands.standing : 'subscribed') === standing
    }
    const { taken, found, isMore } = await takePage(
      now.roll.matching(part, place),
      async (some) => some.filter(isWanted),
      { limit: limit + 1 },
      signal,
    )
    const shown = await listed(now, taken.slice(0, limit))
    const stillSo = shown.filter((one) => !standing || one.standing === standing)
    const gone = Math.min(limit, taken.length) - stillSo.length
    return { people: stillSo, ...placeAfter(taken, limit), found: found - gone, isMore }
  }

  return {
    page: people,

    async addressOf(addressId) {
      if (!isAddressId(addressId)) return undefined
      const shown = recent.get(addressId)
      if (shown !== undefined && (await records.firstOf(shown))) return shown
      const [pending, announcements] = await Promise.all([
        use(() => paths.pending.doc(addressId).get()),
        use(() => paths.announcements.select().get()),
      ])
      const asked = pendingIn(pending)?.email
      if (asked !== undefined) return asked
      const told = announcements.docs.map(({ id }) => paths.deliveries(id).doc(addressId))
      const rows = told.length > 0 ? await use(() => db.getAll(...told)) : []
      const email = rows.map((row): unknown => row.get('email')).find((one) => one !== undefined)
      if (typeof email === 'string') return email
      const now = await current()
      const { taken } = await takePage(
        now.roll.matching(undefined),
        async (some) => some.filter((one) => now.roll.addressIdOf(one) === addressId),
        { limit: 1, most: 1 },
        undefined,
      )
      return taken[0]?.email
    },
  }
}

/** @param last in microseconds; 0 for never. */
function timeOf(last: number | undefined): Timestamp | undefined {
  if (!last) return undefined
  const seconds = Math.floor(last / 1e6)
  return new Timestamp(seconds, (last - seconds * 1e6) * 1000)
}
