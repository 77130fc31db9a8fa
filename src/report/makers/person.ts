import { type Told, toldOf } from '../../people/known-fields.ts'
import { type Consent, type Pending, saidNotMe } from '../../people/pending.ts'
import { signsIn } from '../../people/place-in-line.ts'
import type { StandingEntry } from '../../people/standing.ts'
import { capitalized } from '../../shared/capitalized.ts'
import { counted } from '../../shared/counted.ts'
import type { Act, Figure, Moment, Report } from '../../shared/report.ts'
import { type Sentence, say, translated } from '../../shared/say.ts'
import { shellWord } from '../../shared/shell-word.ts'
import type { Delivery } from '../../store/delivery-ledger.ts'
import { askedOf, type Person } from '../../store/person.ts'
import { answerInWords, reasonInWords } from '../../terminal/standing-words.ts'

/** All that is known of somebody, what happened, the receipt among it, and what can be done. */
export function reportOfPerson(person: Person): Report {
  const { email, subscribedAt, source, standing, consent = null } = person
  const isHeld = standing?.standing === 'quarantined'
  const signs = isHeld ? signsIn(standing.detail).join(', ') : undefined
  const known = toldOf(person)
  return {
    // No address: a browser's history keeps it.
    title: say('A person'),
    parts: [
      {
        part: 'figures',
        figures: [
          {
            ...{ name: 'email', label: say('Address'), value: email, kind: 'email', isLead: true },
            ...{ remark: summaryOf(person), data: { consent } },
          },
          { ...text('standing', say('Standing'), standingOf(person)), kind: 'standing' },
          {
            ...{ name: 'subscribedAt', label: say('Signed up'), kind: 'time' },
            value: subscribedAt?.toISOString() ?? null,
            remark: person.isImported ? say('imported') : '',
            // When these happened, the history says.
            data: { imported: person.isImported, ...Object.fromEntries(timesIn(known)) },
          },
          text('source', say('Source'), source?.source),
          text('medium', say('Medium'), source?.medium),
          text('campaign', say('Campaign'), source?.campaign),
          ...known.flatMap(({ name, term, is }) =>
            is instanceof Date ? [] : [text(name, capitalized(translated(term)), is)],
          ),
          text('signs', say('Signs of a robot'), signs),
        ],
      },
      { part: 'acts', title: say('What you can do'), acts: actsOn(person) },
      { part: 'history', name: 'moments', title: say('What happened'), moments: historyOf(person) },
    ],
  }
}

const text = (name: string, label: string, value: string | undefined): Figure => ({
  ...{ name, label, value: value ?? null, kind: 'foreign' },
})

const timesIn = (known: readonly Told[]) =>
  known.flatMap(({ name, is }) => (is instanceof Date ? [[name, is]] : []))

function standingOf(person: Person): string | undefined {
  if (person.standing) return person.standing.standing
  if (person.subscribedAt) return 'subscribed'
  return askedOf(person) && 'unconfirmed'
}

function actsOn(person: Person): Act[] {
  const { email, standing } = person
  if (standingOf(person) === undefined) return []
  const word = shellWord(email)
  const release = {
    ...{ code: 'release', words: say('Release'), command: `quarantine --release ${word}` },
    remark: say('They may be mailed, and keep the time of their sign-up.'),
  }
  const unsubscribe = {
    ...{ code: 'unsubscribe', words: say('Unsubscribe'), command: `unsubscribe ${word}` },
    remark: say('No letter reaches them, unless they sign up again.'),
  }
  const forget = {
    ...{ code: 'forget', words: say('Forget …'), command: `forget ${word}` },
    remark: say('Erases them for good.'),
  }
  const isOpen = !standing || ['quarantined', 'pending'].includes(standing.standing)
  return [
    ...(standing?.standing === 'quarantined' ? [release] : []),
    ...(isOpen ? [unsubscribe] : []),
    ...(standing?.standing === 'forgotten' ? [] : [forget]),
  ]
}

/** The history of a person, newest first. */
function historyOf(person: Person): Moment[] {
  const { subscribedAt, standing, consent, deliveries } = person
  const asked = askedOf(person)
  const moments = [
    ...(subscribedAt ? [signedUp(person, subscribedAt)] : []),
    ...(consent ? confirmed(consent) : []),
    ...(asked ? askedSoFar(asked) : []),
    ...deliveries.toReversed().map(delivered),
    ...toldOf(person).flatMap(({ name, term, is }) =>
      is instanceof Date ? [moment(name, is, capitalized(translated(term)))] : [],
    ),
    ...(standing ? [stood(standing)] : []),
  ]
  // A result stands above its cause, also where both have the same time.
  return moments.toReversed().toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function moment(
  code: string,
  at: Date | string,
  title: string,
  more: Partial<Moment> = {},
): Moment {
  return { code, at: new Date(at).toISOString(), title, ...more }
}

function signedUp({ isImported }: Person, at: Date): Moment {
  return moment('signedUp', at, isImported ? say('Signed up elsewhere') : say('Signed up'), {
    mark: 'subscribed',
    lines: isImported ? [say('Imported.')] : [],
  })
}

/** The receipt. */
function confirmed(consent: Consent): Moment[] {
  const { words, page, language, askedAt, askedFrom } = consent
  const { messageId, letterDigest, confirmedAt, confirmedFrom, how } = consent
  const shown = say('On page {page}, in language {language}, they read:', { page, language })
  return [
    moment('asked', askedAt, say('Was asked to confirm'), {
      lines: [
        ...(askedFrom ? [say('From {askedFrom}', { askedFrom })] : []),
        say('Letter {messageId}', { messageId }),
        say('SHA-256 of what it said: {letterDigest}', { letterDigest }),
        shown,
      ],
      quote: words,
    }),
    moment('confirmed', confirmedAt, say('Confirmed'), {
      mark: 'confirmed',
      data: { how },
      lines: [
        say('By the {how} of the letter{from}', {
          how: say(how),
          from: confirmedFrom ? say(', from {confirmedFrom}', { confirmedFrom }) : '',
        }),
      ],
    }),
  ]
}

function askedSoFar(pending: Pending): Moment[] {
  const { askedAt, letters, lastLetterAt, failure, noAt, yesAt, suspicion, shown } = pending
  const signs = signsIn(suspicion)
  const isTwice = noAt && yesAt
  const letter = moment(
    'letter',
    lastLetterAt ?? askedAt,
    say('Was sent {letters} to confirm', {
      letters: letters > 0 ? counted(letters, 'letter') : say('no letter'),
    }),
    {
      mark: failure ? 'failed' : 'sent',
      lines: failure && letters > 0 ? [say('The last one did not leave:')] : [],
      quote: failure && answerInWords(failure),
      data: { letters, failure },
    },
  )
  return [
    moment('asked', askedAt, say('Asked to be told, and has not confirmed'), {
      mark: 'pending',
      lines: [
        ...(signs.length > 0
          ? [say('Signs of a robot: {signs}', { signs: signs.join(', ') })]
          : []),
        ...(shown.words ? [say('They read:')] : []),
      ],
      quote: shown.words || undefined,
      data: { ...shown },
    }),
    ...(lastLetterAt || failure ? [letter] : []),
    ...(noAt
      ? [
          moment(
            'saidNo',
            noAt,
            isTwice ? say('Both buttons were pressed') : say('Said that it was not them'),
            {
              lines: isTwice ? [say('A program does that, so it counts as no answer.')] : [],
            },
          ),
        ]
      : []),
  ]
}

const standingTitles: Readonly<Record<StandingEntry['standing'], Sentence>> = {
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
  return moment('standing', at, say(standingTitles[standing]), {
    mark: standing,
    lines: signs.length > 0 ? [say('Signs of a robot: {signs}', { signs: signs.join(', ') })] : [],
    quote: standing === 'quarantined' ? undefined : detail,
    data: { standing, detail },
  })
}

const statusTitles: Readonly<Record<Delivery['status'], Sentence>> = {
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
  return moment(
    'delivery',
    changedAt,
    say('Letter “{announcement}” {was}', { announcement, was: say(statusTitles[status]) }),
    {
      mark: status,
      lines: [
        ...(standing ? [say('Left out: {reason}', { reason: reasonInWords(standing) })] : []),
        ...(language ? [say('In {language}', { language })] : []),
        ...(tries > 1 ? [say('After {tries} tries', { tries })] : []),
      ],
      quote: answer && answerInWords(answer),
      data: { announcement, status, tries, answer, language, leftOut: standing },
    },
  )
}

const summaries: Readonly<Record<StandingEntry['standing'], Sentence>> = {
  subscribed: 'On the list: letters go to them.',
  pending: 'They are on the list, but get no letters: they said that it was not them.',
  quarantined: 'They are on the list, but get no letters: their sign-up had signs of a robot.',
  unsubscribed: 'They get no letters: they unsubscribed.',
  bounced: 'They get no letters: their mail server refused one permanently.',
  complained: 'They get no letters: they reported one as spam.',
  forgotten: 'Erased.',
}

/** A person's standing, in a sentence. */
function summaryOf(person: Person): string {
  const { standing, subscribedAt, consent } = person
  if (standing)
    return `${subscribedAt ? '' : `${say('Not on the list.')} `}${say(summaries[standing.standing])}`
  if (!subscribedAt) {
    const asked = askedOf(person)
    if (!asked) return say('Not on the list.')
    const answer = saidNotMe(asked) ? say('said that it was not them') : say('have not confirmed')
    return say('Not on the list: they were asked, and {answer}.', { answer })
  }
  return consent
    ? say('Confirmed, and on the list: letters go to them.')
    : say(summaries.subscribed)
}
