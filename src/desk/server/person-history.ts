import { toldOf } from '../../people/known-fields.ts'
import { type Consent, type Pending, saidNotMe } from '../../people/pending.ts'
import { signsIn } from '../../people/signs.ts'
import type { StandingEntry } from '../../people/standing.ts'
import type { Delivery } from '../../store/delivery-ledger.ts'
import { askedOf, type Person } from '../../store/person.ts'
import { answerInWords, reasonInWords } from '../../terminal/standing-words.ts'
import { counted } from '../../terminal/words.ts'
import type { Moment } from '../contract/people.ts'

/** The history of a person, newest first. */
export function historyOf(person: Person): Moment[] {
  const { subscribedAt, standing, consent, deliveries } = person
  const asked = askedOf(person)
  const moments = [
    ...(subscribedAt ? [signedUp(person, subscribedAt)] : []),
    ...(consent ? confirmed(consent) : []),
    ...(asked ? askedSoFar(asked) : []),
    ...deliveries.toReversed().map(delivered),
    ...toldOf(person).flatMap(({ term, is }) =>
      is instanceof Date ? [moment(is, titled(term))] : [],
    ),
    ...(standing ? [stood(standing)] : []),
  ]
  // A result stands above its cause, also where both have the same time.
  return moments.toReversed().toSorted((a, b) => b.at - a.at)
}

/** A term at the head of a line. */
export const titled = (term: string) => term.charAt(0).toUpperCase() + term.slice(1)

function moment(at: Date | string, title: string, more: Partial<Moment> = {}): Moment {
  return { at: new Date(at).getTime(), title, mark: '', lines: [], quote: null, ...more }
}

function signedUp({ consent, isImported }: Person, at: Date): Moment {
  const mark = 'subscribed'
  if (isImported) return moment(at, 'Signed up elsewhere', { mark, lines: ['Imported.'] })
  const isSince = consent?.listedAt !== undefined
  const lines = isSince ? ['Before confirmation was asked for.'] : []
  return moment(at, 'Signed up', { mark, lines })
}

/** The receipt, as `consent` prints it. */
function confirmed(consent: Consent): Moment[] {
  const { words, page, language, askedAt, askedFrom, listedAt } = consent
  const { messageId, letterDigest, confirmedAt, confirmedFrom, how } = consent
  const shown = listedAt
    ? `In the letter, in language ${language}, they read:`
    : `On page ${page}, in language ${language}, they read:`
  return [
    moment(askedAt, 'Was asked to confirm', {
      lines: [
        ...(askedFrom ? [`From ${askedFrom}`] : []),
        `Letter ${messageId}`,
        `SHA-256 of what it said: ${letterDigest}`,
        shown,
      ],
      quote: words,
    }),
    moment(confirmedAt, 'Confirmed', {
      mark: 'confirmed',
      lines: [`By the ${how} of the letter${confirmedFrom ? `, from ${confirmedFrom}` : ''}`],
    }),
  ]
}

function askedSoFar(pending: Pending): Moment[] {
  const { askedAt, letters, lastLetterAt, failure, noAt, yesAt, suspicion, shown } = pending
  const signs = signsIn(suspicion)
  const isTwice = noAt && yesAt
  const letter = moment(
    lastLetterAt ?? askedAt,
    `Was sent ${letters > 0 ? counted(letters, 'letter') : 'no letter'} to confirm`,
    {
      mark: failure ? 'failed' : 'sent',
      lines: failure && letters > 0 ? ['The last one did not leave:'] : [],
      quote: failure ? answerInWords(failure) : null,
    },
  )
  return [
    moment(askedAt, 'Asked to be told, and has not confirmed', {
      mark: 'pending',
      lines: [
        ...(signs.length > 0 ? [`Signs of a robot: ${signs.join(', ')}`] : []),
        ...(shown.words ? ['They read:'] : []),
      ],
      quote: shown.words || null,
    }),
    ...(lastLetterAt || failure ? [letter] : []),
    ...(noAt
      ? [
          moment(noAt, isTwice ? 'Both buttons were pressed' : 'Said that it was not them', {
            lines: isTwice ? ['A program does that, so it counts as no answer.'] : [],
          }),
        ]
      : []),
  ]
}

const standingTitles: Readonly<Record<StandingEntry['standing'], string>> = {
  subscribed: 'Subscribed',
  pending: 'Said that it was not them',
  quarantined: 'Quarantined',
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Reported a letter as spam',
  forgotten: 'Forgotten',
}

function stood({ standing, at, detail }: StandingEntry): Moment {
  const signs = standing === 'quarantined' ? signsIn(detail) : []
  return moment(at, standingTitles[standing], {
    mark: standing,
    lines: signs.length > 0 ? [`Signs of a robot: ${signs.join(', ')}`] : [],
    quote: standing === 'quarantined' ? null : (detail ?? null),
  })
}

const statusTitles: Readonly<Record<Delivery['status'], string>> = {
  queued: 'waits to be sent',
  sending: 'is being sent',
  sent: 'was sent',
  failed: 'could not be sent',
  uncertain: 'may have been sent',
  suppressed: 'was not sent',
  forgotten: 'was sent',
}

function delivered(delivery: Delivery): Moment {
  const { announcement, status, changedAt, tries, answer, standing, language } = delivery
  return moment(changedAt, `Letter “${announcement}” ${statusTitles[status]}`, {
    mark: status,
    lines: [
      ...(standing ? [`Left out: ${reasonInWords(standing)}`] : []),
      ...(language ? [`In ${language}`] : []),
      ...(tries > 1 ? [`After ${tries} tries`] : []),
    ],
    quote: answer ? answerInWords(answer) : null,
  })
}

const summaries: Readonly<Record<StandingEntry['standing'], string>> = {
  subscribed: 'On the list: letters go to them.',
  pending: 'They are on the list, but get no letters: they said that it was not them.',
  quarantined: 'They are on the list, but get no letters: their sign-up had signs of a robot.',
  unsubscribed: 'They get no letters: they unsubscribed.',
  bounced: 'They get no letters: their mail server refused one permanently.',
  complained: 'They get no letters: they reported one as spam.',
  forgotten: 'Erased.',
}

/** A person's standing, in a sentence. */
export function summaryOf(person: Person): string {
  const { standing, subscribedAt, consent } = person
  if (standing) return `${subscribedAt ? '' : 'Not on the list. '}${summaries[standing.standing]}`
  if (!subscribedAt) {
    const asked = askedOf(person)
    const answer = asked && saidNotMe(asked) ? 'said that it was not them' : 'have not confirmed'
    return `Not on the list: they were asked, and ${answer}.`
  }
  return consent ? 'Confirmed, and on the list: letters go to them.' : summaries.subscribed
}
