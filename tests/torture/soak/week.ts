import type { WeekClock } from './day.ts'
import { spokenTime } from './day.ts'

/** What happens beside the traffic of a day. */
export const happenings = [
  ...['flood of many', 'flood of one', 'flood of connections', 'full disk', 'back-up'],
  ...['rehearsal', 'leaving', 'opening planned', 'opening', 'announcement', 'deploy'],
  ...['roll-over', 'update', 'kill', 'memory'],
] as const

export type Happening = (typeof happenings)[number]

interface Planned {
  /** In days since the first midnight. */
  readonly at: number
  readonly what: Happening
}

/**
 * What happens in a week, and when. Its first days are one life of the server, which its memory is
 * measured in; from then on it is stopped, killed and replaced.
 *
 * @param calm how many days that one life takes. @param kills of each day after it.
 */
export function plannedWeek(days: number, calm: number, kills: number, random: () => number) {
  const plan: Planned[] = []
  const on = (day: number, hour: number, what: Happening, within = 0) =>
    plan.push({ at: day + (hour + random() * within) / 24, what })
  const updates = Math.floor((calm + days) / 2)
  on(0, 0.5, 'flood of many')
  // What the system gives for a flood, it gets back late or never: so each kind comes before a look.
  if (calm > 1) on(0, 2, 'flood of connections')
  // On the first day as well: what a server does for the first time, it keeps the code of.
  on(0, 8, 'opening planned')
  on(0, 9, 'opening')
  // Where there is but one day, its morning is the first.
  on(0, calm > 1 ? 23.5 : 2, 'memory')
  on(calm - 1, 23.5, 'memory')
  for (let day = 0; day < days; day += 1) {
    // In two days, each of them has what the other has not.
    const isDue = (of: 0 | 1) => days > 2 || day === of
    if (isDue(0)) {
      on(day, 3.2, 'back-up')
      on(day, 5, 'full disk', 15)
      on(day, 7, 'flood of one', 16)
    }
    if (isDue(1)) {
      on(day, 4.5, 'rehearsal')
      on(day, 6, 'leaving', 8)
      on(day, 7, 'flood of connections', 16)
    }
    on(day, 14, 'announcement')
    if (day < calm) continue
    on(day, 10, 'deploy', 2)
    on(day, 12, 'roll-over', 2)
    if (day === updates) on(day, 12, 'update')
    for (let kill = 0; kill < kills; kill += 1) on(day, 0.5, 'kill', 23)
  }
  return plan.toSorted((a, b) => a.at - b.at)
}

/**
 * Has it all happen, each at its time, or as soon as what was before it is over.
 *
 * @throws what went wrong, with the time and what came before it.
 */
export async function live(
  plan: readonly Planned[],
  clock: WeekClock,
  happens: (what: Happening) => Promise<void>,
) {
  const story: string[] = []
  for (const { at, what } of plan) {
    await new Promise((resolve) => setTimeout(resolve, clock.until(at)))
    story.push(`${spokenTime(clock.now())} ${what}`)
    await happens(what).catch((cause) => {
      throw new Error(`${story.slice(-6).join(', ')}: ${cause.message}`, { cause })
    })
  }
}
