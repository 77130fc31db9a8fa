import { alarmRule } from '../store/alarm.ts'
import { type AlarmState, type NewNotice, type Notice, noticeId } from '../store/notices.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import type { Place, TellOperatorOptions } from './place.ts'

type WatchStoreOptions = Pick<TellOperatorOptions, 'places' | 'appId' | 'now' | 'log'> & {
  readonly store: Pick<TellOperatorOptions['store'], 'checkWritable'>
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
  /** The places that have yet to be told that it is away, and how often that was tried. */
  let untold: { notice: Notice; places: readonly Place[]; tries: number } | undefined

  const isWritable = () =>
    store.checkWritable().then(
      () => true,
      (cause) => {
        if (!(cause instanceof StoreUnavailable)) throw cause
        return false
      },
    )

  function noticeOf({ type, at, data }: NewNotice): Notice {
    const hour = Math.floor(at.getTime() / HOUR_MS)
    return { id: noticeId(appId, `store-away:${type}:${hour}`), type, at, data }
  }

  async function tell() {
    if (!untold) return
    const { notice, tries } = untold
    const told = untold.places.map(async (place) => {
      const answer = await place.send({ id: notice.id, notices: [notice] }, now())
      return answer.kind === 'failed' && !answer.isGone ? [place] : []
    })
    const left = (await Promise.all(told)).flat()
    const isOver = left.length === 0 || tries === MOST_TRIES
    untold = isOver ? undefined : { notice, places: left, tries: tries + 1 }
    if (isOver && left.length > 0)
      log.error(`These could not be told that the store is away: ${left.map(({ label }) => label)}`)
  }

  return async () => {
    const at = now()
    const isBack = await isWritable()
    awaySince = isBack ? undefined : (awaySince ?? at.getTime())
    const isAway = awaySince !== undefined && at.getTime() - awaySince >= AWAY_FOR_MS
    // After a shorter outage, the alarm neither begins nor ends.
    const isWrong = isAway || (isBack ? false : undefined)
    const seen = { kind: 'store', isWrong, data: {}, now: at, calmMs: BACK_FOR_MS } as const
    const { alarm: changed = alarm, event } = alarmRule(seen)(alarm)
    alarm = changed
    const isOver = event?.type === 'alarm.ended'
    if (event) untold = isOver ? undefined : { notice: noticeOf(event), places, tries: 1 }
    if (!isBack) await tell()
    return isOver ? event : undefined
  }
}
