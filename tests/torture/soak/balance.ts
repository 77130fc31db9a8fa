import { type Person, standingOf } from './people.ts'
import type { askedIn, ListRecord } from './record.ts'

const MOST_LETTERS = 3

/**
 * Holds what the list says against what everybody knows of themselves.
 *
 * @param mostUncertain letters that killed runs may have left in the air.
 * @returns a sentence for each of whom it is not so.
 */
export function whatIsWrong(
  people: ReadonlyMap<string, Person>,
  { listed, rows, rowsOfForgotten, lines }: ListRecord,
  { waiting, pending }: Pick<ReturnType<typeof askedIn>, 'waiting' | 'pending'>,
  mostUncertain: number,
): string[] {
  const wrong: string[] = []
  const is = (holds: boolean, sentence: string) => holds || wrong.push(sentence)
  is(lines.list === listed.size, 'somebody is on the list twice')
  is(lines.rows === rows.size + rowsOfForgotten, 'somebody has two rows in the ledger')
  for (const email of [...listed.keys(), ...rows.keys(), ...waiting, ...pending])
    is(people.has(email), `${email} is kept, and never came`)
  let uncertain = 0
  for (const [email, one] of people) {
    const [found, row] = [listed.get(email), rows.get(email)]
    if (row === 'uncertain') uncertain += 1
    for (const sentence of [standsWrong(one, found), toldWrong(one, found?.standing, row)])
      if (sentence) wrong.push(`${email} ${sentence}: ${JSON.stringify(one)}, ${row}`)
    is(one.asked <= MOST_LETTERS, `${email} was asked ${one.asked} times`)
    if (one.gone?.how === 'forgotten' && !one.isUnsure)
      is(!row && !waiting.has(email) && !pending.has(email), `${email} is kept, and was forgotten`)
    else if (one.thanked === 'to confirm' && !one.isUnsure)
      is(one.asked > 0 || waiting.has(email), `${email} was thanked, and gets no letter`)
  }
  is(uncertain <= mostUncertain, `${uncertain} are uncertain`)
  return wrong
}

function standsWrong(
  one: Person,
  found: ListRecord['listed'] extends Map<string, infer T> ? T | undefined : never,
) {
  if (one.isUnsure) return undefined
  const [should, does] = [standingOf(one), found?.standing]
  const isOneOfFlood = one.kind === 'flood' && (does === 'quarantined' || does === 'subscribed')
  if (should !== does && !isOneOfFlood)
    return `is ${does ?? 'not on the list'}, and should be ${should ?? 'not on it'}`
  if (found && found.hasReceipt !== one.hasConfirmed)
    return `${found.hasReceipt ? 'has a' : 'has no'} receipt, and confirmed ${one.hasConfirmed ? '' : 'nothing'}`
  return undefined
}

function toldWrong(one: Person, standing: string | undefined, row: string | undefined) {
  const { told, gone, toldOnTheWay, isBack, isUnsure } = one
  const mayHaveIt = row === 'sent' || row === 'uncertain'
  if (told > 1) return `was told ${told} times`
  if (toldOnTheWay && !isBack && !isUnsure) return 'was told after they had left'
  if (row === 'sent' && told === 0) return 'is told by the ledger, and was not'
  if (told > 0 && !mayHaveIt && gone?.how !== 'forgotten')
    return `was told, and has ${row ?? 'no'} row`
  // Who left before their turn, and came back after it, has been left out of it.
  if (standing === 'subscribed' && !gone && !mayHaveIt)
    return `is to be told, and has ${row ?? 'no'} row`
  return undefined
}
