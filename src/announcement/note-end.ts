import { EndedFromOutside } from '../shared/ended-from-outside.ts'
import { alarmRule } from '../store/alarm.ts'
import type { Notices } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import type { SendEnd } from './sending/send-end.ts'

interface End {
  readonly why: SendEnd['why'] | 'ended' | 'fault' | 'cut-off'
  readonly answer: string
}

/** How it ended, and whether from outside. */
export function endedBy({ why, answer }: SendEnd, { reason }: AbortSignal): End {
  const isFromOutside = why === 'interrupted' && reason instanceof EndedFromOutside
  return { why: isFromOutside ? 'ended' : why, answer }
}

/**
 * Tells an operator who is not at the terminal that an announcement stopped by itself, or is done.
 *
 * @param figures how far it was then, by the names that every face uses.
 * @throws StoreUnavailable
 */
export async function noteEnd(
  notices: Pick<Notices, 'changeAlarm'>,
  announcement: string,
  { why }: Pick<End, 'why'>,
  figures: { readonly [of in 'eligible' | 'sent' | 'queued']?: number } = {},
): Promise<void> {
  // The operator who stopped it knows.
  if (why === 'interrupted') return
  const data = { announcement, why, ...figures }
  const seen = { kind: 'announcement', isWrong: why !== 'done', data, now: new Date() } as const
  await notices.changeAlarm('announcement', alarmRule(seen))
}

/** The same; where the store is away, the lock that is left behind tells of it, if one was held. */
export async function noteIfItCan(
  notices: Pick<Notices, 'changeAlarm'>,
  announcement: string,
  why: End['why'],
): Promise<void> {
  try {
    await noteEnd(notices, announcement, { why })
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
  }
}

/** Reasons that are over once the same command is given again. */
const OVER = ['ended', 'cut-off', 'fault']

/**
 * Ends the alarm when the announcement goes on, since the operator knows. @throws StoreUnavailable
 */
export async function noteGoingOn(
  notices: Pick<Notices, 'changeAlarm'>,
  announcement: string,
): Promise<void> {
  await notices.changeAlarm('announcement', (known) => {
    const { announcement: of, why } = known?.data ?? {}
    const isIt = known?.isOn && of === announcement && OVER.includes(String(why))
    return isIt ? { alarm: { ...known, isReminded: true } } : {}
  })
}
