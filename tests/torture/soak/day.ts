/** How busy each hour of a day is: night, the morning's mail, noon, and the evening's peak. */
const HOURS = [
  ...[0.15, 0.1, 0.05, 0.05, 0.05, 0.1, 0.3, 0.7, 1.1, 1.3, 1.3, 1.2],
  ...[1.5, 1.4, 1.2, 1.1, 1.1, 1.2, 1.5, 2.2, 2.6, 2.2, 1.2, 0.5],
]
const MEAN = HOURS.reduce((sum, one) => sum + one, 0) / HOURS.length

/** @param at in days, such as 2.5 for the third noon. @returns how busy it is; 1 is the day's mean. */
export function busyness(at: number): number {
  const hour = (at % 1) * 24
  const before = HOURS[Math.floor(hour)] ?? 0
  const after = HOURS[(Math.floor(hour) + 1) % 24] ?? 0
  return (before + (after - before) * (hour % 1)) / MEAN
}

/** A week's time, that goes faster than ours. @param dayMs how long a day takes, in milliseconds. */
export function weekClock(dayMs: number) {
  const began = performance.now()
  return {
    dayMs,
    /** In days since the first midnight. */
    now: () => (performance.now() - began) / dayMs,
    /** How many milliseconds there are until then, none where it is over. */
    until: (day: number) => Math.max(0, began + day * dayMs - performance.now()),
  }
}

export type WeekClock = ReturnType<typeof weekClock>

/** `day 3, 20:15`, as it is told when something is wrong. */
export function spokenTime(at: number): string {
  const minutes = Math.floor((at % 1) * 24 * 60)
  const two = (part: number) => String(part).padStart(2, '0')
  return `day ${Math.floor(at) + 1}, ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
