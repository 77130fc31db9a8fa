import { toldOf } from '../../people/known-fields.ts'
import { type Consent, type Pending, saidNotMe } from '../../people/pending.ts'
import { commandLine } from '../../product/command-line.ts'
import type { Source } from '../../shared/source.ts'
import type { Delivery } from '../../store/delivery-ledger.ts'
import { askedOf, type Person, personOf } from '../../store/person.ts'
import type { Store } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { answerInWords, reasonInWords, stood } from '../../terminal/standing-words.ts'
import { columns, localTime } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'

export interface FindOptions {
  readonly email: string
  readonly json?: boolean
  readonly linkKey: Buffer
}

/** `find`: everything that is known of an address, for example to find out why no mail came. */
export async function find(store: Store, options: FindOptions, out: Out) {
  const email = readEmail(options.email)
  const person = await personOf(store, email, options.linkKey)
  const { standing, deliveries, source, isImported, consent } = person
  const known = toldOf(person)
  const subscribedAt = person.subscribedAt ?? null
  const request = askedOf(person)
  const asked = request?.askedAt
  if (options.json) {
    const found = {
      email,
      subscribedAt,
      standing: standing ?? null,
      deliveries,
      ...(isImported && { imported: true }),
      ...(source && { source }),
      ...Object.fromEntries(known.map(({ name, is }) => [name, is])),
      ...(asked && { asked }),
      ...(consent && { confirmed: consent.confirmedAt }),
    }
    await out.json(found)
  } else {
    const rows = [
      ['signed up', signedUp(person)],
      ...(source ? [['came from', cameFrom(source)]] : []),
      ...known.map(({ term, is }) => [term, is instanceof Date ? localTime(is) : is]),
      ...(request
        ? [['asked', `${localTime(request.askedAt)}, and ${askedInWords(request)}`]]
        : []),
      ...(consent ? [['confirmed', confirmedInWords(email, consent)]] : []),
      ...(standing ? [[standing.standing, stood(standing)]] : []),
      ...deliveries.map((delivery) => [delivery.announcement, told(delivery)]),
    ]
    await out.write(`${out.style.bold(email)}\n${columns(rows)}\n`)
  }
  return subscribedAt ? exitCodes.done : exitCodes.partly
}

const askedInWords = (pending: Pending) =>
  saidNotMe(pending) ? 'said "This was not me"' : 'has not confirmed'

function confirmedInWords(email: string, { confirmedAt }: Consent): string {
  return `${localTime(new Date(confirmedAt))}, the receipt: ${commandLine(`consent ${email}`)}`
}

function signedUp({ subscribedAt, isImported }: Person): string {
  if (!subscribedAt) return 'no'
  return `${localTime(subscribedAt)}${isImported ? ', imported' : ''}`
}

function cameFrom({ source, medium, campaign }: Source): string {
  return [
    ...(source ? [source] : []),
    ...(medium ? [`medium ${medium}`] : []),
    ...(campaign ? [`campaign ${campaign}`] : []),
  ].join(', ')
}

function told({ status, changedAt, answer, language, standing }: Delivery): string {
  const inWhich = language ? [`in ${language}`] : []
  // The mail server's answer to an earlier try is not the reason.
  const why = standing ? reasonInWords(standing) : answer && `"${answerInWords(answer)}"`
  return [status, localTime(changedAt), ...inWhich, ...(why ? [why] : [])].join(', ')
}

export const fromCommandLine = (options: Pick<FindOptions, 'json'>, email: string) =>
  runWithStore({ looks: true }, (store, out, { linkKey }) =>
    find(store, { ...options, email, linkKey }, out),
  )
