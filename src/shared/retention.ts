/** How long a list is kept after the page opened. */
export interface Retention {
  readonly number: number
  readonly unit: (typeof units)[number]
}

const units = ['day', 'week', 'month', 'year'] as const
const MOST_YEARS = 10
const mostOf = {
  day: 365 * MOST_YEARS,
  week: 52 * MOST_YEARS,
  month: 12 * MOST_YEARS,
  year: MOST_YEARS,
}

export const RETAIN_RULE = `like '6 months after opening', in days, weeks, months or years, ${MOST_YEARS} years at most`

/** Reads `retain` of a product. @returns nothing for anything else. */
export function readRetention(text: unknown): Retention | undefined {
  if (typeof text !== 'string') return undefined
  const [, digits, name] = /^([1-9]\d{0,3}) (day|week|month|year)s? after opening$/.exec(text) ?? []
  const unit = units.find((one) => one === name)
  const number = Number(digits)
  return unit && number <= mostOf[unit] ? { number, unit } : undefined
}

/** When that time is over. A month later is the same day of it, or its last one. */
export function endOfRetention({ number, unit }: Retention, openedAt: Date): Date {
  const end = new Date(openedAt)
  if (unit === 'day' || unit === 'week') {
    end.setUTCDate(end.getUTCDate() + number * (unit === 'week' ? 7 : 1))
    return end
  }
  const day = end.getUTCDate()
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + number * (unit === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(day, last))
  return end
}
