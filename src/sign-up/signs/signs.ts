import { disposableDomain, mailboxAliases } from './address.ts'
import type { Attempt, Look } from './attempt.ts'
import { dayLimit, domainShare, networkShare } from './crowd.ts'
import { hiddenField, tooQuick } from './form.ts'
import { headers, program } from './headers.ts'

interface Sign {
  /** For the operator, in one sentence. */
  readonly reason: string
  /** Hints of one kind have one innocent reason in common: an office is one network and one domain. */
  readonly kind: 'form' | 'program' | 'crowd' | 'address'
  readonly begin: () => Look
}

/** The signs of a robot, by the name that stands in a suspicion. */
export const signs = {
  'hidden-field': {
    reason: 'A field that people do not see was filled.',
    kind: 'form',
    begin: () => hiddenField,
  },
  'too-quick': {
    reason: 'It was sent sooner than anybody types.',
    kind: 'form',
    begin: tooQuick,
  },
  program: {
    reason: 'It was sent by a program that says that it is no browser.',
    kind: 'program',
    begin: () => program,
  },
  headers: {
    reason: 'It was sent with headers that no browser sends.',
    kind: 'program',
    begin: () => headers,
  },
  'day-limit': {
    reason: 'More came from its network in a day than RATE_LIMIT_DAY.',
    kind: 'crowd',
    begin: () => dayLimit,
  },
  'network-share': {
    reason: 'More than ten, and more than 2 % of the day, came from one network.',
    kind: 'crowd',
    begin: networkShare,
  },
  'domain-share': {
    reason: 'More than ten, and more than 2 % of the day, are at one domain.',
    kind: 'crowd',
    begin: domainShare,
  },
  'disposable-domain': {
    reason: 'Its domain is on a list of disposable addresses.',
    kind: 'address',
    begin: disposableDomain,
  },
  // The last one, since it depends on the others.
  'mailbox-aliases': {
    reason: 'It is one of many addresses with a tag, of one mailbox.',
    kind: 'address',
    begin: mailboxAliases,
  },
} as const satisfies Record<string, Sign>

export type SignName = keyof typeof signs

const allSigns = Object.keys(signs) as SignName[]
/** The signs that need only the address. */
export const addressSigns: readonly SignName[] = [
  'domain-share',
  'disposable-domain',
  'mailbox-aliases',
]

/**
 * Looks for the signs of a robot in each sign-up. One sign that is enough makes a suspicion, and so
 * do two hints of different kinds. All signs are looked for, since some count sign-ups; but a
 * sign-up that is held for another reason does not count as an alias, so that a robot does not use
 * up the owner's.
 *
 * @param names of the signs to look for.
 * @returns the names of the signs that were seen, such as `hidden-field, too-quick`; nothing for an
 *   ordinary sign-up.
 */
export function suspicions(
  names: readonly SignName[] = allSigns,
): (attempt: Attempt) => string | undefined {
  const looks = allSigns
    .filter((name) => names.includes(name))
    .map((name) => ({ name, kind: signs[name].kind, look: signs[name].begin() }))
  return (attempt) => {
    const seen: string[] = []
    const kinds = new Set<string>()
    let isEnough = false
    for (const { name, kind, look } of looks) {
      if (name === 'mailbox-aliases' && (isEnough || kinds.size > 1)) continue
      const weight = look(attempt)
      if (!weight) continue
      seen.push(name)
      kinds.add(kind)
      isEnough ||= weight === 'enough'
    }
    return isEnough || kinds.size > 1 ? seen.join(', ') : undefined
  }
}
