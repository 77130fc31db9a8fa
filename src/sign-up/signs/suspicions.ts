import { disposableDomain, mailboxAliases } from './address.ts'
import type { Attempt, Judge } from './attempt.ts'
import { dayLimit, domainShare, networkShare } from './crowd.ts'
import { hiddenField, tooQuick } from './form.ts'
import { headers, program } from './headers.ts'

interface Sign {
  /** Hints of one kind have one innocent reason in common: an office is one network and one domain. */
  readonly kind: 'form' | 'program' | 'crowd' | 'address'
  readonly begin: () => Judge
}

/** The signs of a robot, by the name that stands in a suspicion. */
export const signs = {
  'hidden-field': { kind: 'form', begin: () => hiddenField },
  'too-quick': { kind: 'form', begin: tooQuick },
  program: { kind: 'program', begin: () => program },
  headers: { kind: 'program', begin: () => headers },
  'day-limit': { kind: 'crowd', begin: () => dayLimit },
  'network-share': { kind: 'crowd', begin: networkShare },
  'domain-share': { kind: 'crowd', begin: domainShare },
  'disposable-domain': { kind: 'address', begin: disposableDomain },
  // The last one, since it depends on the others.
  'mailbox-aliases': { kind: 'address', begin: mailboxAliases },
} as const satisfies Record<string, Sign>

type SignName = keyof typeof signs

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
    const seen: Seen[] = []
    for (const { name, kind, look } of looks) {
      if (name === 'mailbox-aliases' && areEnough(seen)) continue
      const weight = look(attempt)
      if (weight) seen.push({ name, kind, weight })
    }
    return areEnough(seen) ? seen.map(({ name }) => name).join(', ') : undefined
  }
}

interface Seen {
  readonly name: SignName
  readonly kind: Sign['kind']
  readonly weight: ReturnType<Judge>
}

const areEnough = (seen: readonly Seen[]): boolean =>
  seen.some(({ weight, kind }) => weight === 'enough' || kind !== seen[0]?.kind)
