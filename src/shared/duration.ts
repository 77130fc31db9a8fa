import { say } from './say.ts'

/** A length of time as people say it: `3 h 12 min`, `45 s`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.round(whole / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return say('{days} days {hours} h', { days: Math.floor(hours / 24), hours: hours % 24 })
}
