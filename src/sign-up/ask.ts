import type { Message, SendOutcome } from '../mail/mailer.ts'
import { afterSending } from '../people/after-sending.ts'
import { isOpen, type MarksOf, withLetter } from '../people/letter-rule.ts'
import { mailboxLimit } from '../people/mailbox-limit.ts'
import { type Pending, type Shown, saidNotMe } from '../people/pending.ts'
import type { PendingChange } from '../people/press-button.ts'
import type { Known } from '../people/requests.ts'
import type { Standing } from '../people/standing.ts'
import { languageFor } from '../shared/language-code.ts'
import type { Product, ProductLanguages } from '../shared/product.ts'
import type { Requests, SubscriberList } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { type ConfirmationLetter, marksOf } from './confirmation-letter.ts'
import { listedReceipt } from './letter-words.ts'

/** Why a subscriber is not asked: they confirmed, may not be mailed, or had enough letters. */
type NotAsked = 'confirmed' | 'mailbox' | Standing

/** The letter for a subscriber, noted as sent; or why there is none, or until when it waits. */
export type Asking =
  | { readonly message: Message; settle(outcome: SendOutcome): Promise<void> }
  | { readonly leftOut: NotAsked }
  | { readonly dueAt: Date; readonly answer: string }

interface AskOptions {
  readonly list: Pick<SubscriberList, 'find'>
  readonly requests: Pick<Requests, 'changePending'>
  readonly product: Product
  /** Those that the product is in; left out, it is in one. */
  readonly languages?: ProductLanguages | undefined
  readonly letter: ConfirmationLetter
}

/**
 * Asks subscribers from before confirmation was asked for, within the limits of every confirmation
 * request. The record of a letter is on disk before the letter is given.
 *
 * @throws StoreUnavailable
 */
export function asking({ list, requests, letter, ...options }: AskOptions) {
  const { product, languages = [{ code: '', path: '', product }] } = options
  const marks = marksOf(letter)

  return async (recipient: { readonly addressId: string; readonly email: string }) => {
    const { addressId, email } = recipient
    const listed = await list.find(email)
    // Forgotten since: their row has no address any more.
    if (!listed) return { leftOut: 'forgotten' } satisfies Asking
    const begun = {
      email,
      listedAt: listed.subscribedAt,
      letters: 0,
      shownIn: (language: string | undefined) =>
        listedReceipt(languageFor(languages, language).product),
    }
    const decided = await requests.changePending(
      addressId,
      (found, now) => decide(found, begun, addressId, now, marks),
      email,
    )
    if (!('pending' in decided)) return decided
    const { pending, before } = decided
    return {
      message: letter(addressId, pending),
      async settle(outcome) {
        const change = afterSending(outcome, before)
        if (!change) return
        // If this fails, one letter too many counts, which is the smaller mistake.
        await requests
          .changePending(addressId, ({ pending }) => ({
            result: undefined,
            ...(pending && { pending: change(pending) }),
          }))
          .catch((cause: unknown) => {
            if (!(cause instanceof StoreUnavailable)) throw cause
          })
      },
    } satisfies Asking
  }
}

interface Begun extends Omit<Pending, 'askedAt' | 'shown'> {
  /** @param language theirs, as far as it is known. */
  readonly shownIn: (language: string | undefined) => Shown
}

type Decided =
  | { readonly pending: Pending; readonly before: Pending | undefined }
  | Exclude<Asking, { message: Message }>

function decide(
  found: Known,
  { shownIn, ...begun }: Begun,
  addressId: string,
  now: Date,
  marks: MarksOf,
): PendingChange<Decided> {
  const { standing, consent, mailbox, language } = found
  if (standing) return { result: { leftOut: standing.standing } }
  if (consent) return { result: { leftOut: 'confirmed' } }
  const before = isOpen(found, now) ? found.pending : undefined
  // Their address was left on the page before it came with a file, and they said no to that.
  if (before && saidNotMe(before)) return { result: { leftOut: 'pending' } }
  const { isFull, dueAt } = mailboxLimit(mailbox, begun, now)
  if (isFull) return { result: { leftOut: 'mailbox' } }
  if (dueAt) return { result: { dueAt, answer: 'a letter went to that mailbox just now' } }
  const shown = shownIn(language)
  const anew = { ...begun, shown, askedAt: now } as const
  const asked: Pending = { ...(before ?? anew), listedAt: begun.listedAt }
  const pending = withLetter(asked, addressId, now, marks)
  return { result: { pending, before }, pending }
}
