/** How many copies are kept: the last of each of so many days, weeks and months. */
export interface KeepRule {
  readonly days: number
  readonly weeks: number
  readonly months: number
}

/** The most of each: 240 months are twenty years. */
const MOST = 240

/** @returns `undefined` for what is no rule, or one that keeps nothing. */
export function parseKeepRule(text: string): KeepRule | undefined {
  if (!/^\d{1,3}(,\d{1,3}){2}$/.test(text)) return undefined
  const [days = 0, weeks = 0, months = 0] = text.split(',').map(Number)
  const all = [days, weeks, months]
  return all.some((one) => one > MOST) || all.every((one) => one === 0)
    ? undefined
    : { days, weeks, months }
}
