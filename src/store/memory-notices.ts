import {
  type AlarmState,
  MOST_WAITING,
  milestone,
  milestonesIn,
  type NewNotice,
  NOTICE_DAYS,
  type Notice,
  type Notices,
  noticeId,
  type PlaceState,
  REACHED,
} from './notices.ts'

const DAY_MS = 86_400_000

/** Who signed up, as far as notices are concerned. */
export interface SignedUp {
  readonly email: string
  readonly subscribedAt: Date
  readonly isQuarantined: boolean
}

/** Keeps notices for as long as the process lives. @param people all who signed up, in order. */
export function memoryNotices(people: () => readonly SignedUp[]): Notices {
  const kept = new Map<string, Notice>()
  const places = new Map<string, PlaceState>()
  const alarms = new Map<string, AlarmState>()
  const counted = () => people().filter(({ isQuarantined }) => !isQuarantined)

  let last = 0

  function note({ key, ...event }: NewNotice) {
    if (kept.has(key)) return
    last += 1
    kept.set(key, { ...event, id: noticeId('', key), number: last })
    const before = event.at.getTime() - NOTICE_DAYS * DAY_MS
    for (const [old, { at }] of kept)
      if (at.getTime() < before && !old.startsWith(REACHED)) kept.delete(old)
  }

  async function noteMilestones(now: Date) {
    const size = counted().length
    for (const number of milestonesIn(size)) note(milestone(number, size, now))
  }

  return {
    lookForMilestonesEveryMs: 0,
    noteMilestones,

    async openNotices(names, now) {
      await noteMilestones(now)
      const place = { since: now.getTime(), toldTo: last }
      for (const name of names) if (!places.has(name)) places.set(name, place)
      return new Date(Math.min(...names.map((name) => places.get(name)?.since ?? Infinity)))
    },

    async noteEvent(event) {
      if (places.size > 0) note(event)
    },

    async changeAlarm(kind, decide) {
      if (places.size === 0) return
      const { alarm, event } = decide(alarms.get(kind))
      if (alarm) alarms.set(kind, alarm)
      if (event) note(event)
    },

    async changePlace(name, decide) {
      const known = places.get(name)
      if (!known) return undefined
      const waiting = [...kept.values()].filter(({ number }) => number > known.toldTo)
      const { place, result } = decide(known, waiting.slice(0, MOST_WAITING))
      if (place) places.set(name, place)
      return result
    },

    async growthBetween(from, to) {
      const signUps = counted().filter(
        ({ subscribedAt }) => subscribedAt >= from && subscribedAt < to,
      ).length
      const subscribers = counted().length
      return { signUps, subscribers, quarantined: people().length - subscribers }
    },

    async signedUp(from, to, most) {
      const theirs = counted().filter(
        ({ subscribedAt }) => subscribedAt >= from && subscribedAt < to,
      )
      return theirs.slice(0, most).map(({ email }) => email)
    },

    async quarantinedSince(since) {
      return people().filter(
        ({ isQuarantined, subscribedAt }) => isQuarantined && subscribedAt >= since,
      ).length
    },
  }
}
