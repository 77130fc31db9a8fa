import { brakes } from '../shared/held-letters.ts'
import { isDamage } from '../shared/list-damage.ts'
import { waitingFaults } from '../shared/waiting-too-long.ts'
import { type AlarmSeen, alarmRule, type DecideAlarm } from '../store/alarm.ts'
import type { AlarmKind } from '../store/notices.ts'
import type { Store } from '../store/store.ts'
import type { TellOperatorOptions } from './place.ts'
import { backupsFound } from './watch-backups.ts'

const HOUR_MS = 3_600_000
/** If the command is run again within this time, nothing is told of a run that was killed. */
const ABANDONED_MS = 3 * 60_000
/** From this many, letters that wait an hour at most are a flood; a few are a fair or an office. */
const MANY_HELD = 10
/** A receiver that is restarted is no alarm. */
const AWAY_MS = HOUR_MS
/** The alarm begins at this many quarantined in an hour, and ends at half of them. */
const MANY_QUARANTINED = 100

type Watched = Pick<TellOperatorOptions, 'store' | 'backups' | 'overdue'> & {
  /** When the first place was opened. */
  readonly since: Date
}

/** Looks for one fault. @param rule of its alarm. @returns nothing where nobody looks for it. */
type Look = (
  options: Watched,
  now: Date,
  rule: (isWrong: AlarmSeen['isWrong'], data: AlarmSeen['data']) => DecideAlarm,
) => Promise<DecideAlarm | undefined>

const ago = (ms: number, now: Date) => new Date(now.getTime() - ms)

const looks: { readonly [kind in AlarmKind]?: Look } = {
  async backup({ backups, since }, now, rule) {
    if (!backups) return undefined
    const { state, isService = false } = backups
    const data = backupsFound(await state(now), isService, since, now)
    return rule(data.why !== undefined, data)
  },

  // It begins and ends with its runs. A killed run tells nothing, but leaves its lock behind, which
  // every other end releases.
  async announcement({ store }, now, rule) {
    const announcement = await cutOff(store, now)
    const [began, asItWas] = [rule(true, { announcement, why: 'cut-off' }), rule(undefined, {})]
    // One that is on says more of how it ended.
    return (known) => {
      const isTold = known?.isOn && known.data.announcement === announcement
      return (announcement === undefined || isTold ? asItWas : began)(known)
    }
  },

  // Those of a filled hidden field need the operator to release them; many of the others are a flood.
  async letters({ store }, _now, rule) {
    const held = await store.requests.heldLetters()
    const all = brakes.reduce((sum, brake) => sum + held[brake], 0)
    const isWrong = held['hidden-field'] > 0 || all >= MANY_HELD || (all === 0 ? false : undefined)
    return rule(isWrong, { held })
  },

  async events({ store }, now, rule) {
    const feed = await store.events.feed()
    // Where there never was a feed, this costs one look.
    if (!feed) return undefined
    const { people, held } = await store.events.counts()
    const { failing, failure, isOn } = feed
    const isAway = isOn && people > 0 && !!failing && failing.since <= ago(AWAY_MS, now).getTime()
    const isWrong = held > 0 || isAway || (failing ? undefined : false)
    return rule(isWrong, { people, held, ...(failure && { failure }) })
  },

  async counts({ store }, _now, rule) {
    const counted = await store.counts.last()
    if (!counted) return undefined
    const { unreadable, wrong } = counted
    return rule(isDamage(counted), { unreadable, wrong: [...wrong] })
  },

  async waiting({ store }, _now, rule) {
    const waiting = await store.inbox.waiting()
    return rule(waitingFaults(waiting).length > 0, { ...waiting })
  },

  // It is over a day after the last report.
  async refusals({ store }, now, rule) {
    const many = await store.refusals.many(ago(24 * HOUR_MS, now))
    return rule(many.length > 0, { many: many.slice(0, 5) })
  },

  async retention({ overdue }, now, rule) {
    if (!overdue) return undefined
    const number = (await overdue(now)) ?? 0
    return rule(number > 0, number > 0 ? { number } : {})
  },

  async quarantine({ store }, now, rule) {
    const number = await store.notices.quarantinedSince(ago(HOUR_MS, now))
    const isFew = number < MANY_QUARANTINED / 2
    return rule(number >= MANY_QUARANTINED || (isFew ? false : undefined), { number })
  },
}

/** Checks the list for problems, and notes the notices. @throws StoreUnavailable */
export async function watchList(options: Watched, now: Date): Promise<void> {
  for (const [name, look] of Object.entries(looks)) {
    const kind = name as AlarmKind
    const decide = await look(options, now, (isWrong, data) =>
      alarmRule({ kind, isWrong, data, now }),
    )
    if (decide) await options.store.notices.changeAlarm(kind, decide)
  }
}

/** @returns the announcement of a killed run, if it is not finished. */
async function cutOff(
  { lock, ledger }: Pick<Store, 'lock' | 'ledger'>,
  now: Date,
): Promise<string | undefined> {
  const id = await lock.abandoned(ago(ABANDONED_MS, now))
  const one = id ? await ledger.findAnnouncement(id) : undefined
  // Without a number of recipients, the run was killed before all of them had a row.
  if (!one || one.eligible === undefined) return one?.id
  const { queued, sending } = one.tally
  return queued + sending > 0 ? id : undefined
}
