import type { EventType } from '../shared/event-types.ts'
import { HELD_AFTER_MS } from './event-queue.ts'
import type { EndedEvent, EventFeed } from './events.ts'

/*
 * The rules of the feed as a whole, for all stores. Times are in milliseconds since 1970.
 */

/** The feed once the server has these settings. What is known of another receiver is dropped. */
export function openedFeed(
  known: EventFeed | undefined,
  types: readonly EventType[],
  place: string,
  now: number,
): EventFeed {
  const same = known?.place === place ? known : undefined
  return { ...same, isOn: true, types, place, since: known?.since ?? now }
}

/** What the answers of a round change. */
export interface FeedChange {
  readonly feed: EventFeed
  /** It answers again: what failed meanwhile is due now. */
  readonly isBack: boolean
  /** It has taken nothing for a week: what is older is held, without being tried. */
  readonly isHeld: boolean
}

/** What comes and goes within this time is left to the waits of each event. */
const OUTAGE_MS = 60_000
/** A receiver that says it is gone is asked once a day. */
export const GONE_MS = 24 * 3_600_000

export function afterAnswers(
  feed: EventFeed,
  ended: readonly EndedEvent[],
  now: number,
): FeedChange {
  const answers = ended.map(({ answer }) => answer)
  const { awaySince, failure: _, notBefore: __, ...rest } = feed
  if (answers.some(({ kind }) => kind === 'taken')) {
    const isBack = awaySince !== undefined && now - awaySince >= OUTAGE_MS
    return { feed: { ...rest, lastAt: now }, isBack, isHeld: false }
  }
  const away = answers.find((one) => one.kind === 'failed' && one.isAway)
  if (away?.kind !== 'failed') return { feed, isBack: false, isHeld: false }
  const since = awaySince ?? now
  const gone = away.isGone ? { notBefore: now + GONE_MS } : {}
  return {
    feed: { ...rest, awaySince: since, failure: away.failure, ...gone },
    isBack: false,
    isHeld: now - since >= HELD_AFTER_MS,
  }
}

/** The feed after the operator's test arrived, or their replay. */
export function feedBack({
  awaySince: _,
  failure: __,
  notBefore: ___,
  ...feed
}: EventFeed): EventFeed {
  return feed
}
