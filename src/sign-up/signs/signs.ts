import type { Attempt, Look } from './attempt.ts'
import { domainShare, networkShare } from './crowd.ts'
import { disposableDomain } from './disposable-domain.ts'
import { headers, program } from './headers.ts'
import { hiddenField } from './hidden-field.ts'
import { mailboxAliases } from './mailbox-aliases.ts'
import { tooQuick } from './too-quick.ts'

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
  'network-share': {
    reason: "Far more of the day's sign-ups than usual came from one network.",
    kind: 'crowd',
    begin: networkShare,
  },
  'domain-share': {
    reason: "Far more of the day's addresses than usual are at one domain.",
    kind: 'crowd',
    begin: domainShare,
  },
  'mailbox-aliases': {
    reason: 'It is one of many addresses of one mailbox.',
    kind: 'address',
    begin: mailboxAliases,
  },
  'disposable-domain': {
    reason: 'Its domain is on a list of disposable addresses.',
    kind: 'address',
    begin: disposableDomain,
  },
} as const satisfies Record<string, Sign>

export type SignName = keyof typeof signs

/**
 * Looks at each sign-up for the signs of a robot. One that is enough makes a suspicion, and so do two
 * hints of different kinds. Looks at every sign every time, since some count what they see.
 *
 * @returns the names of the signs that were seen, such as `hidden-field, too-quick`; nothing for
 *   whoever looks ordinary.
 */
export function suspicions(): (attempt: Attempt) => string | undefined {
  const looks = Object.entries<Sign>(signs).map(([name, { kind, begin }]) => ({
    ...{ name, kind },
    look: begin(),
  }))
  return (attempt) => {
    const names: string[] = []
    const kinds = new Set<string>()
    let isEnough = false
    for (const { name, kind, look } of looks) {
      const weight = look(attempt)
      if (!weight) continue
      names.push(name)
      kinds.add(kind)
      isEnough ||= weight === 'enough'
    }
    return isEnough || kinds.size > 1 ? names.join(', ') : undefined
  }
}
