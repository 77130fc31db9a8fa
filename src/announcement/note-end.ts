import { EndedFromOutside } from '../shared/ended-from-outside.ts'
import { alarmRule } from '../store/alarm.ts'
import type { Notices } from '../store/notices.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import type { SendEnd } from './sending/send-end.ts'

interface End {
  readonly why: SendEnd['why'] | 'leaving' | 'unready' | 'ended' | 'fault' | 'cut-off'
  readonly answer: string
}

/** How far it was then, by the names that every face uses. */
export interface EndFigures {
  readonly eligible?: number
  readonly sent?: number
  readonly queued?: number
}

/** How it ended, with who ended it. */
export function endedBy({ why, answer }: SendEnd, { reason }: AbortSignal): End {
  const isFromOutside = why === 'interrupted' && reason instanceof EndedFromOutside
  return { why: isFromOutside ? 'ended' : why, answer }
}

/**
 * Whoever does not sit before the terminal is told that it stopped by itself, and that it is done.
 *
 * @throws StoreUnavailable
 */
export async function noteEnd(
  notices: Pick<Notices, 'changeAlarm'>,
  announcement: string,
  { why, answer }: End,
  figures: EndFigures = {},
): Promise<void> {
  // Whoever stopped it knows.
  if (why === 'interrupted') return
  const data = { announcement, why, answer, ...figures }
  const isWrong = why !== 'done'
  const rule = alarmRule({ kind: 'announcement', isWrong, data, now: new Date() })
  await notices.changeAlarm('announcement', (known) =>
    // That of another announcement is not this one's to end; neither it nor another reason keeps this
    // one from being told.
    rule(
      known?.data.announcement === announcement && (!isWrong || known.data.why === why)
        ? known
        : undefined,
    ),
  )
}

/** The same, unless the store is away: then the lock that is left says so, if one was held. */
export async function noteIfItCan(
  notices: Pick<Notices, 'changeAlarm'>,
  announcement: string,
  why: End['why'],
): Promise<void> {
  try {
    await noteEnd(notices, announcement, { why, answer: '' })
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
  }
}

/** Reasons that are over as soon as the same command is given again. */
const OVER = ['ended', 'cut-off', 'fault']

/** Whoever goes on knows that it had stopped, and is reminded of it no more. @throws StoreUnavailable */
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
