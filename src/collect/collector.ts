import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { keyedHash } from '../keys/address-id.ts'
import { crowdsOfAddresses } from '../sign-up/signs/crowd.ts'
import { addressSigns, suspicions } from '../sign-up/signs/signs.ts'
import type {
  Claim,
  Collected,
  Collecting,
  CollectState,
  Inbox,
  Look,
  ReadClaim,
} from '../store/inbox.ts'
import { InboxTaken } from '../store/inbox.ts'
import {
  afterLook,
  compareTimes,
  isErasedBy,
  mayCollect,
  nextLook,
  pauseAfter,
  signUpIn,
  wholeLook,
  withPage,
} from '../store/inbox-rules.ts'
import type { Shown } from '../store/pending.ts'

export interface CollectorOptions {
  readonly inbox: Inbox
  readonly collecting: Collecting
  /** The name of this machine, for people. */
  readonly machine: string
}

/** What the operator is told of a look. */
export interface CollectEvents {
  /** @param documents that will be read, by the first look at a list. */
  first?(documents: number): void
  /** How many documents were found so far, and how many were taken in. */
  progress?(found: number, takenIn: number): void
  /** Before another list is taken over from. */
  takesOver?(before: Claim, noes: number): void
}

export interface CollectOptions extends CollectEvents {
  /** Takes over from another list. */
  readonly takeOver?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** What came of a look. */
export interface CollectEnd {
  /** Documents that were taken in, odd ones not. */
  readonly takenIn: number
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean
}

export interface Collector {
  /** Checks that this list may take in, and refuses otherwise. @throws InboxTaken, StoreUnavailable */
  check(): Promise<void>
  /** Takes in all that is there, and compares the number. @throws InboxTaken, StoreUnavailable */
  toTheEnd(options?: CollectOptions): Promise<CollectEnd>
  /**
   * One look in the background. @returns how long to wait for the next, in milliseconds.
   * @throws InboxTaken, StoreUnavailable
   */
  look(options?: CollectOptions): Promise<number>
  /** Keeps noes at Google that are not there yet, and erases what was forgotten. */
  tell(): Promise<void>
  /**
   * Takes in requests to confirm. @param shown what visitors saw, as far as it is known.
   * @param keptSince older requests are only emptied.
   * @returns whether there may be more. @throws InboxTaken, StoreUnavailable
   */
  takeInRequests(shown: Shown, keptSince: Date): Promise<boolean>
}

/** Nothing but the address is known of these visitors. */
const unseen = {
  network: undefined,
  isBeyondDay: false,
  headers: {},
  isHiddenFieldFilled: false,
  session: undefined,
}

const AT_ONCE = 200
const NOES_AT_ONCE = 300
const DAY_MS = 86_400_000
/** How long a claim of this list is trusted for a look that finds nothing, and how often it says so. */
const CLAIM_MS = 600_000

/**
 * Takes documents of Firestore into the list. One at a time on a list, which the caller sees to. It
 * remembers the signs of robots from look to look.
 */
export function collector({ inbox, collecting, machine }: CollectorOptions): Collector {
  const signs = judge()
  const requestSigns = judge()
  let isNoesApplied = false
  let checkedAt = 0

  /** @returns the claim of this list, as it is now. */
  async function claimed(options: CollectOptions = {}): Promise<ReadClaim> {
    for (;;) {
      const claim = await inbox.claim()
      const own = await collecting.state()
      const may = mayCollect(claim, own)
      if (claim && may === 'own') {
        checkedAt = Date.now()
        return claim
      }
      if (claim && !options.takeOver) throw new InboxTaken(refusal(claim, may, own))
      if (claim) await takeOver(claim, options)
      else await claimFirst(own)
    }
  }

  /** Nobody takes in yet. */
  async function claimFirst(own: CollectState | undefined) {
    // A list that looked elsewhere before begins anew here.
    const begun = own && own.at === 0 ? own : newState(1, 0, randomBytes(32).toString('base64url'))
    // Before the claim, so that a list that is stopped here knows its own claim.
    await collecting.begin(begun)
    await inbox.writeClaim(claimOf(begun, machine), undefined)
  }

  async function takeOver(claim: ReadClaim, { takesOver }: CollectOptions) {
    const own = await collecting.state()
    takesOver?.(claim, own?.noes ?? 0)
    const begun = newState(claim.generation + 1, claim.noes, claim.key)
    await collecting.begin(begun)
    for (let last: string | undefined; ; ) {
      const noes = await inbox.noes(last)
      if (noes.length === 0) break
      await collecting.keepNoes(noes)
      last = noes.at(-1)?.key
    }
    // Refused where a no came meanwhile: then all of this is done again.
    await inbox.writeClaim(claimOf(begun, machine), claim)
  }

  /** The claim, with all noes of this list told, those of the list before applied. */
  async function begin(options: CollectOptions, isOnCommand: boolean): Promise<void> {
    let claim = await claimed(options)
    // Again for each command: an import or a restore may have brought somebody since.
    if (isOnCommand || !isNoesApplied) await collecting.applyNoes(noKeys(claim.key))
    isNoesApplied = true
    if (Date.now() - claim.at.getTime() > CLAIM_MS) {
      const state = await known()
      await inbox.writeClaim(claimOf(state, machine), claim)
      claim = await claimed()
    }
    await tellNoes(claim)
  }

  async function tellNoes(claim: ReadClaim): Promise<void> {
    for (let before = claim; ; before = await claimed()) {
      const noes = await collecting.untoldNoes(NOES_AT_ONCE)
      if (noes.length === 0) return
      const { noes: told } = await known()
      // Before they are told, so that a list that is stopped here is not behind its own claim.
      await collecting.change({ noes: Math.max(told, before.noes + noes.length) })
      if (await inbox.keepNoes(noes, claimOf(await known(), machine), before))
        await collecting.noteTold(noes)
    }
  }

  async function known(): Promise<CollectState> {
    const state = await collecting.state()
    if (!state) throw new Error('Nothing is known of the inbox.')
    return state
  }

  /** @returns whether it came to its end. */
  async function lookAll(next: Look, options: CollectOptions): Promise<boolean> {
    const { progress, signal } = options
    let look = next
    // What is known of the page after is read while this one is kept.
    let ahead = inbox.documents(look.from, look.after)
    for (let isOver = false; !isOver; ) {
      const page = await ahead
      isOver = page.next === undefined
      if (page.next) ahead = inbox.documents(look.from, page.next)
      ahead.catch(() => {})
      const before = await collecting.known(page.documents.map(({ id }) => id))
      const signUps = page.documents.flatMap((one) => signUpIn(one, page.readAt) ?? [])
      const isSignUp = new Set(signUps.map(({ id }) => id))
      const fresh = page.documents.filter(({ id }) => !before.has(id))
      look = withPage(look, signUps, {
        ...page,
        again: before.size,
        fresh: fresh.length,
      })
      const odd = fresh.map(({ id }) => id).filter((id) => !isSignUp.has(id))
      await collecting.keepWaiting(
        signUps.filter(({ id }) => !before.has(id)),
        odd,
        look,
      )
      progress?.(look.again + look.fresh, 0)
      if (signal?.aborted) return false
    }
    const state = await known()
    const change = afterLook(state, look, await collecting.counted(), Date.now())
    await collecting.change(change)
    return true
  }

  /** In the order of their own times: a week of documents at once is no crowd. */
  async function takeWaiting({ progress, signal }: CollectOptions): Promise<number> {
    const noKeyOf = noKeys((await known()).key)
    let takenIn = 0
    while (!signal?.aborted) {
      const some = await collecting.waiting(AT_ONCE)
      if (some.length === 0) break
      const judged = some.map((one) => ({ ...one, suspicion: signs(one).suspicion }))
      await collecting.takeIn(judged, noKeyOf)
      takenIn += some.length
      progress?.(0, takenIn)
      await nextTurn()
    }
    return takenIn
  }

  /** One look and what it found. */
  async function lookAndTake(look: Look, options: CollectOptions): Promise<CollectEnd> {
    // What an interrupted look has left is taken in with the rest, in order.
    const isOver = await lookAll(look, options)
    const takenIn = isOver ? await takeWaiting(options) : 0
    return { takenIn, isStopped: !isOver || options.signal?.aborted === true }
  }

  async function nextOf(isOnCommand: boolean, { first }: CollectOptions): Promise<Look> {
    const state = await known()
    const look = state.look ?? nextLook(state, Date.now(), isOnCommand)
    if (look.reach === 'all' && !look.after && first) first(await inbox.count(latest))
    return look
  }

  /**
   * How many documents there, up to the newest one that was taken in, are missing here: later ones may
   * be on their way. @returns below 0, how many of all that were taken in are gone there.
   */
  async function missing(): Promise<number> {
    const { newest } = await known()
    if (!newest) return 0
    const found = (await inbox.count(newest)) - (await collecting.counted())
    return found >= 0
      ? found
      : Math.min(0, (await inbox.count(latest)) - (await collecting.counted()))
  }

  /** Compares the numbers, and looks again where documents are missing. */
  async function compare(options: CollectOptions): Promise<CollectEnd> {
    const ends: CollectEnd[] = []
    let found = await missing()
    // Some may have come meanwhile.
    if (found > 0) ends.push(await lookAndTake(await nextOf(true, options), options))
    if (found > 0) found = await missing()
    const { missing: before } = await known()
    if (found > 0 && found !== before && !options.signal?.aborted) {
      ends.push(await lookAndTake(wholeLook, options))
      found = await missing()
    }
    await collecting.change({ missing: found, countedAt: Date.now() })
    return together(ends)
  }

  async function eraseThere(): Promise<void> {
    for (;;) {
      const some = await collecting.erasures(AT_ONCE)
      for (const one of some) {
        for (const among of ['list', 'requests'] as const)
          for await (const page of inbox.of(one.email, among)) {
            const ids = page.filter((found) => isErasedBy(one.at, found)).map(({ id }) => id)
            if (ids.length === 0) continue
            if (among === 'requests') await inbox.emptyRequests(ids)
            else {
              // Before, so that a stop in between leaves no count that is too high.
              await collecting.forgetDocuments(ids)
              await inbox.remove(ids)
            }
          }
        await collecting.noteErased(one)
      }
      if (some.length < AT_ONCE) return
    }
  }

  async function tell(): Promise<void> {
    if ((await collecting.untoldNoes(1)).length > 0) await tellNoes(await claimed())
    if ((await collecting.countErasures()) === 0) return
    await claimed()
    await eraseThere()
  }

  return {
    async check() {
      await claimed()
    },

    async toTheEnd(options = {}) {
      await begin(options, true)
      const look = await nextOf(true, options)
      const ends = [await lookAndTake(look, options)]
      // During a long look more may have come, which it did not pass by.
      const isLong = look.beganAt !== undefined || look.reach === 'all'
      if (isLong && !ends[0]?.isStopped)
        ends.push(await lookAndTake(await nextOf(true, options), options))
      if (!ends.at(-1)?.isStopped) ends.push(await compare(options))
      const end = together(ends)
      // Also the noes to documents that just came.
      await tell()
      return end
    },

    async look(options = {}) {
      await begin(options, false)
      await lookAndTake(await nextOf(false, options), options)
      const { countedAt = 0 } = await known()
      if (Date.now() - countedAt >= DAY_MS && !options.signal?.aborted) await compare(options)
      await tell()
      return pauseAfter(await known(), Date.now())
    },

    tell,

    async takeInRequests(shown, keptSince) {
      if (Date.now() - checkedAt > CLAIM_MS) await claimed()
      const { documents, isMore, readAt } = await inbox.requests()
      if (documents.length === 0) return false
      await claimed()
      const before = await collecting.knownRequests(documents.map(({ id }) => id))
      const fresh = documents.filter(({ id }) => !before.has(id))
      const wanted = lastOfEach(fresh.flatMap((one) => signUpIn(one, readAt) ?? []))
        .filter(({ at }) => at >= keptSince)
        .map((one) => ({ ...one, asked: { shown, ...requestSigns(one) } }))
      const isWanted = new Set(wanted.map(({ id }) => id))
      const ids = documents.map(({ id }) => id)
      await collecting.takeInRequests(
        wanted,
        ids.filter((id) => !isWanted.has(id)),
      )
      await inbox.emptyRequests(ids)
      await collecting.forgetRequests(ids)
      return isMore
    },
  }
}

const latest = { seconds: Date.UTC(2199, 0) / 1000, nanoseconds: 0 }

const noKeys = (key: string) => keyedHash(Buffer.from(key, 'base64url'), 'no')

const newState = (generation: number, noes: number, key: string): CollectState => ({
  list: randomUUID(),
  generation,
  noes,
  key,
  at: 0,
  lookedAt: {},
  settled: {},
  lastReads: 0,
})

function claimOf({ list, generation, noes, key }: CollectState, machine: string): Claim {
  return { list, generation, noes, key, machine, at: new Date() }
}

function refusal(
  { machine, at, noes }: Claim,
  may: ReturnType<typeof mayCollect>,
  own: CollectState | undefined,
): string {
  const last = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (may === 'other') return `Firestore is taken in by the list on ${machine}, last at ${last}.`
  return `This list knows of ${own?.noes ?? 0} who said no, and Firestore of ${noes}: it is an older copy of the list on ${machine}, which took in last at ${last}.`
}

/** Judges sign-ups in order, by windows of their own times. */
function judge() {
  let at = 0
  const isCrowd = crowdsOfAddresses(() => at)
  const suspicionOf = suspicions(addressSigns)
  return (one: Pick<Collected, 'email' | 'at'>) => {
    at = one.at.getTime()
    const { email } = one
    return { isCrowd: isCrowd(email), suspicion: suspicionOf({ ...unseen, email, at }) }
  }
}

/** The last request of each address, in the order of their times. */
function lastOfEach<T extends ReturnType<typeof signUpIn> & object>(found: readonly T[]): T[] {
  const inOrder = found.toSorted((one, other) => compareTimes(one.fine, other.fine))
  return [...new Map(inOrder.map((one) => [one.email, one])).values()].toSorted((one, other) =>
    compareTimes(one.fine, other.fine),
  )
}

function together(ends: readonly CollectEnd[]): CollectEnd {
  return {
    takenIn: ends.reduce((sum, end) => sum + end.takenIn, 0),
    isStopped: ends.some((end) => end.isStopped),
  }
}
