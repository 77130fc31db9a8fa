import { alarmRule } from '../store/alarm.ts'
import { type AlarmState, type NewNotice, type Notice, noticeId } from '../store/notices.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import type { NoticeLog } from './deliver-notices.ts'
import type { Place } from './place.ts'

export interface WatchStoreOptions {
  readonly store: Pick<Store, 'checkWritable'>
  readonly places: readonly Place[]
  readonly appId: string
  readonly now: () => Date
  readonly log: NoticeLog
}

/** A short outage of the store is no alarm. */
const AWAY_FOR_MS = 60_000
const BACK_FOR_MS = 300_000
const MOST_TRIES = 10
const HOUR_MS = 3_600_000

/**
 * Notices when sign-ups cannot be kept. The store then cannot keep a notice either, so this one
 * alarm is sent from memory: each server sends its own, under one id an hour.
 *
 * @returns a function that checks once. It gives the notice that the store is back, to be stored.
 */
export function storeWatch(options: WatchStoreOptions): () => Promise<NewNotice | undefined> {
  const { store, places, appId, now, log } = options
  let alarm: AlarmState | undefined
  let awaySince: number | undefined
  /** The places that have yet to be told that it is away. */
  let untold: { notice: Notice; places: Place[]; tries: number } | undefined

  async function isWritable() {
    try {
      await store.checkWritable()
      return true
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause
      return false
    }
  }

  function noticeOf({ type, at, data }: NewNotice): Notice {
    const hour = Math.floor(at.getTime() / HOUR_MS)
    return { id: noticeId(appId, `store-away:${type}:${hour}`), number: 0, type, at, data }
  }

  async function tell() {
    if (!untold) return
    const { notice, places, tries } = untold
    const message = { id: notice.id, notices: [notice] }
    const answers = await Promise.all(places.map((place) => place.send(message, now())))
    const left = places.filter((_, i) => {
      const answer = answers[i]
      return answer?.kind === 'failed' && !answer.isGone
    })
    untold =
      left.length > 0 && tries < MOST_TRIES ? { notice, places: left, tries: tries + 1 } : undefined
    if (left.length > 0 && !untold)
      log.error(`These could not be told that the store is away: ${left.map(({ label }) => label)}`)
  }

  return async () => {
    const at = now()
    const isBack = await isWritable()
    awaySince = isBack ? undefined : (awaySince ?? at.getTime())
    const isAway = awaySince !== undefined && at.getTime() - awaySince >= AWAY_FOR_MS
    const change = alarmRule({
      kind: 'store',
      data: {},
      now: at,
      calmMs: BACK_FOR_MS,
      // After a shorter outage, the alarm neither begins nor ends.
      isWrong: isAway ? true : isBack ? false : undefined,
    })(alarm)
    alarm = change.alarm ?? alarm
    const { event } = change
    if (event?.type === 'alarm.ended') untold = undefined
    else if (event) untold = { notice: noticeOf(event), places: [...places], tries: 1 }
    if (!isBack) await tell()
    return event?.type === 'alarm.ended' ? event : undefined
  }
}
