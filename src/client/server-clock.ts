/** How far the server's clock is ahead of the visitor's, in milliseconds; nothing until it is known. */
let ahead: number | undefined

/** Now by the server's clock, in milliseconds since 1970; nothing before it has answered. */
export const serverNow = () => (ahead === undefined ? undefined : Date.now() + ahead)

/**
 * Reads the server's clock in an answer of it.
 *
 * @param asked when that was asked for, by the visitor's clock.
 */
export function readClock({ headers }: Response, asked: number) {
  const age = Number(headers.get('age')) * 1000
  ahead = aheadBy(ahead ?? 0, Date.parse(headers.get('date') ?? '') + age, asked, Date.now())
}

/**
 * How far one clock is ahead of another, by what an answer says. It says a whole second, and was on its
 * way for a while: what was known before stays for as long as it agrees with that, so that a clock which
 * is right is not moved, and seconds go on evenly. All in milliseconds, times since 1970.
 *
 * @param known how far it was by the answer before. @param said the second; nothing is learned from `NaN`.
 */
export function aheadBy(known: number, said: number, asked: number, answered: number): number {
  if (Number.isNaN(said)) return known
  const [least, most] = [said - answered, said + 1000 - asked]
  return least <= known && known <= most ? known : (least + most) / 2
}
