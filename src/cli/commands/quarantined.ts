import { isWaitingWithSigns } from '../../people/erase-quarantined.ts'
import { signsIn } from '../../people/place-in-line.ts'
import { domainOf } from '../../shared/address-folding.ts'
import { parseEmail } from '../../shared/email.ts'
import type { Store } from '../../store/store.ts'
import type { TimeRange } from '../../store/subscriber-list.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import { counted } from '../../terminal/words.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

/** Which of the quarantined are meant; all of them by default. */
export interface QuarantineSelection extends TimeOptions {
  /** Those with one of these signs. */
  readonly sign?: readonly string[]
  /** Those at one of these domains. */
  readonly domain?: readonly string[]
}

/** Somebody who came with signs of a robot. */
export interface Quarantined {
  readonly email: string
  /** When they signed up. */
  readonly at: Date
  readonly signs: readonly string[]
  /** Not on the list: they were asked, and have not confirmed. */
  readonly isToConfirm: boolean
}

/** `; 2 people with such signs have not confirmed, and are not on the list`: after how many are quarantined. */
export function moreInWords(toConfirm: number, mark: '.' | ';'): string {
  if (toConfirm === 0) return ''
  const signs = mark === '.' ? 'signs of a robot' : 'such signs'
  const [have, are] = toConfirm === 1 ? ['has', 'is'] : ['have', 'are']
  return `${mark} ${counted(toConfirm, 'person', 'people')} with ${signs} ${have} not confirmed, and ${are} not on the list`
}

export type QuarantineReader = Pick<Store, 'list' | 'requests'>

/**
 * @param range of their sign-ups. @returns those on the list in order of sign-up, then those who have
 *   not confirmed. In constant memory.
 */
export async function* allQuarantined(
  store: QuarantineReader,
  { since, until }: TimeRange,
): AsyncIterable<Quarantined> {
  const inRange = { ...(since && { since }), ...(until && { until }) }
  const listed = store.list.stream({ ...inRange, standing: 'quarantined' })
  for await (const { email, subscribedAt, detail } of listed)
    yield { email, at: subscribedAt, signs: signsIn(detail), isToConfirm: false }
  for await (const pending of store.requests.pending()) {
    const { email, askedAt: at, suspicion } = pending
    const isIn = !(since && at < since) && !(until && at >= until)
    if (isIn && isWaitingWithSigns(pending))
      yield { email, at, signs: signsIn(suspicion), isToConfirm: true }
  }
}

/** Later sign-ups are left out, so that two looks find the same. @throws OperatorError */
export function rangeOf(selection: QuarantineSelection): TimeRange {
  return { until: new Date(), ...timeRange(selection) }
}

/** @throws Misuse for a domain or a sign that is none. */
export async function selects({ sign, domain }: QuarantineSelection) {
  const domains = domain?.map(readDomain)
  if (sign) await needSigns(sign)
  return ({ email, signs }: Quarantined) =>
    (!sign || sign.some((name) => signs.includes(name))) &&
    (!domains || domains.includes(domainOf(email)))
}

async function needSigns(names: readonly string[]): Promise<void> {
  // Not for "status", which has this file too: what looks for signs takes as long to load as that runs.
  const { signs } = await import('../../sign-up/signs/suspicions.ts')
  const unknown = names.find((name) => !Object.hasOwn(signs, name))
  if (unknown === undefined) return
  throw new Misuse(
    `--sign: there is no sign "${unknown}". The signs: ${Object.keys(signs).join(', ')}.`,
  )
}

/** As it stands in addresses: an international name is kept in another form. */
function readDomain(name: string): string {
  const email = parseEmail(`somebody@${name.replace(/^@/, '')}`)
  if (email === undefined) throw new Misuse(`--domain: "${name}" is not a domain.`)
  return domainOf(email)
}
