import { HELD_AFTER_MS } from '../people/event-queue.ts'
import type { EventType } from '../shared/event-types.ts'
import type { EndedEvent, EventFeed } from './events.ts'

/*
 * The rules of the feed as a whole. Times are in milliseconds since 1970.
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
  /** It has taken nothing for a week: what is older is held, without being tried. */
  readonly isHeld: boolean
}

/**
 * A receiver is away once the events of this many people failed in a row. One person's may fail for
 * what they typed, such as where a filter in front of the receiver refuses certain words.
 */
const SEVERAL = 3
/** A receiver that says it is gone is asked once a day, after it has taken nothing for an hour. */
const GONE_MS = 24 * 3_600_000
const GONE_AFTER_MS = 3_600_000

export function afterAnswers(
  feed: EventFeed,
  ended: readonly EndedEvent[],
  now: number,
): FeedChange {
  if (ended.some(({ answer }) => answer.kind === 'taken'))
    return { feed: { ...feedBack(feed), lastAt: now }, isHeld: false }
  const failed = ended.flatMap(({ event, answer }) =>
    answer.kind === 'failed' && answer.isAway ? [{ ...answer, person: event.person }] : [],
  )
  const [first] = failed
  if (!first) return { feed, isHeld: false }
  const known = feed.failing?.people ?? []
  const people = [...new Set([...known, ...failed.map(({ person }) => person)])].slice(0, SEVERAL)
  const since = feed.failing?.since ?? now
  const isAway = people.length === SEVERAL
  const isGone = now - since >= GONE_AFTER_MS && failed.every((one) => one.isGone)
  return {
    feed: {
      ...feedBack(feed),
      failing: { since, people },
      failure: first.failure,
      ...(isAway && { awaySince: since }),
      ...(isAway && isGone && { notBefore: now + GONE_MS }),
    },
    isHeld: isAway && now - since >= HELD_AFTER_MS,
  }
}

/** The feed after an event was taken, such as the operator's test, or after their replay. */
export function feedBack({
  failing: _,
  awaySince: __,
  failure: ___,
  notBefore: ____,
  ...feed
}: EventFeed): EventFeed {
  return feed
}

/** The feed after events were dropped that this version cannot read. */
export function withDropped(feed: EventFeed, number: number): EventFeed {
  return { ...feed, dropped: (feed.dropped ?? 0) + number }
}
