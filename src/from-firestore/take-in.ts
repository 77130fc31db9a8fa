import { lateArrival, signUpArrival } from '../store/arrival.ts'
import type { FoundPage, Look } from '../store/inbox.ts'
import { afterLook, nextLook, signUpIn, wholeLook, withPage } from '../store/inbox-rules.ts'
import { type CollectOptions, known, type Taking } from './collect-options.ts'

/** Appended and taken in before the next: a look at a million fills neither memory nor the inbox. */
const AT_ONCE = 1000
const latest = { seconds: Date.UTC(2199, 0) / 1000, nanoseconds: 0 }

/** Takes in all that is there, and compares the number. @returns how many documents were taken in. */
export async function lookToTheEnd(taking: Taking, options: CollectOptions): Promise<number> {
  const look = await nextOf(taking, true, options)
  let takenIn = await lookAndTake(taking, look, options)
  // During a long look more may have come, which it did not pass by.
  if (look.beganAt !== undefined || look.reach === 'all')
    takenIn += await lookAndTake(taking, await nextOf(taking, true, options), options)
  return takenIn + (await compare(taking, options))
}

/** The look that was begun and is not over, or else the next one. */
export async function nextOf(
  taking: Taking,
  isOnCommand: boolean,
  { first }: CollectOptions,
): Promise<Look> {
  const state = await known(taking)
  const look = state.look?.beganAt ? state.look : nextLook(state, isOnCommand)
  if (look.reach === 'all' && !look.after && first) first(await taking.inbox.count(latest))
  return look
}

/** One look and what it found. @returns how many documents were taken in. */
export async function lookAndTake(
  taking: Taking,
  look: Look,
  options: CollectOptions,
): Promise<number> {
  if (!options.signal?.aborted) await lookAll(taking, look, options)
  // What an interrupted look has left is taken in with the rest, in order.
  return options.signal?.aborted ? 0 : appendFound(taking, options)
}

async function lookAll(taking: Taking, next: Look, { progress, signal }: CollectOptions) {
  const { inbox, collecting } = taking
  let look = next
  // Where the list's file cannot be written, each look would cost its reads, and change nothing.
  await collecting.change({ look })
  // What is known of the page after is read while this one is kept.
  let ahead = inbox.documents(look.from, look.after)
  for (let isOver = false; !isOver; ) {
    const page = await ahead
    isOver = page.next === undefined
    if (page.next) ahead = inbox.documents(look.from, page.next)
    ahead.catch(() => {})
    look = await keepPage(taking, look, page)
    progress?.(look.again + look.fresh, 0)
    if (signal?.aborted) return
  }
  const state = await known(taking)
  await collecting.change(afterLook(state, look, await collecting.counted(), Date.now()))
}

/** Keeps what is new in a page. @returns the look with it. */
function keepPage({ collecting }: Taking, look: Look, page: FoundPage): Promise<Look> {
  const found = page.documents.map((one) => signUpIn(one, page.readAt) ?? { id: one.id })
  const signUps = found.filter((one) => 'fine' in one)
  return collecting.keepFound(found, (fresh) =>
    withPage(look, signUps, { ...page, again: found.length - fresh, fresh }),
  )
}

/** In the order of their own times: a week of documents at once is no crowd. */
async function appendFound(taking: Taking, { progress, signal }: CollectOptions): Promise<number> {
  const { collecting, signs } = taking
  for (let takenIn = 0; ; ) {
    const some = await collecting.appendFound(AT_ONCE, (one) =>
      lateArrival(signUpArrival(one.email, { suspicion: signs(one).suspicion }), one.at),
    )
    // Also what an interrupted look has appended.
    await collecting.takeInAll(signal)
    takenIn += some
    if (some > 0) progress?.(0, takenIn)
    if (some === 0 || signal?.aborted) return takenIn
  }
}

/** Compares the numbers, and looks again where documents are missing. @returns how many were taken in. */
export async function compare(taking: Taking, options: CollectOptions): Promise<number> {
  if (options.signal?.aborted) return 0
  let [takenIn, found] = [0, await missing(taking)]
  // Some may have come meanwhile.
  if (found > 0) takenIn += await lookAndTake(taking, await nextOf(taking, true, options), options)
  if (found > 0) found = await missing(taking)
  const { missing: before } = await known(taking)
  if (found > 0 && found !== before) {
    takenIn += await lookAndTake(taking, wholeLook, options)
    found = await missing(taking)
  }
  // One that was stopped has not looked at everything: the next one does.
  if (!options.signal?.aborted)
    await taking.collecting.change({ missing: found, countedAt: Date.now() })
  return takenIn
}

/**
 * How many documents there, up to the newest one that was taken in, are missing here: later ones may
 * be on their way. @returns below 0, how many of all that were taken in are gone there.
 */
async function missing(taking: Taking): Promise<number> {
  const { inbox, collecting } = taking
  const { newest } = await known(taking)
  if (!newest) return 0
  const found = (await inbox.count(newest)) - (await collecting.counted())
  return found >= 0
    ? found
    : Math.min(0, (await inbox.count(latest)) - (await collecting.counted()))
}
