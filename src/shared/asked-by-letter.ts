import { replyPath } from './api.ts'
import { askOf, type Product } from './product.ts'
import type { Words } from './sentences.ts'

/** What a letter asks by a button under its text. */
interface Asking {
  /** Its option of `announce`, and what that is called once it is read. */
  readonly option: string
  readonly given: 'stillInterested' | 'ask'
  /** The page of the button, and the words on it. */
  readonly path: string
  readonly button: keyof Words
  /** Whether it asks those alone who have heard nothing for long; who does not answer gets later letters last. */
  readonly isToTheSilent?: true
  /** What is asked in the product's own words, above the button. */
  readonly textOf?: (product: Product) => string | undefined
  /** Said where it has none. */
  readonly without?: string
}

const all = {
  'still-interested': {
    option: '--still-interested',
    given: 'stillInterested',
    path: '/still-interested',
    button: 'stillYes',
    isToTheSilent: true,
  },
  question: {
    option: '--ask',
    given: 'ask',
    path: replyPath,
    button: 'toAnswer',
    textOf: (product: Product) => askOf(product)?.ask,
    without: 'product.config.ts has no question: see docs/question.md.',
  },
} as const satisfies Readonly<Record<string, Asking>>

/** Its options, as they are read. */
export type AskingOptions = { readonly [given in Asking['given']]?: boolean }

/** The names of such announcements begin with it, and say so for ever; so does the token of a button. */
export type AskedByLetter = keyof typeof all

export const lettersThatAsk: Readonly<Record<AskedByLetter, Asking>> = all

export const askedByLetter = Object.keys(all) as AskedByLetter[]

/** What an announcement of this name asks; nothing of one that tells news. */
export function askedBy(announcement: string): AskedByLetter | undefined {
  return askedByLetter.find((asked) => `${announcement}-`.startsWith(`${asked}-`))
}

/** Whether an announcement of this name asks those who have heard nothing for long. */
export function asksTheSilent(announcement: string): boolean {
  const asks = askedBy(announcement)
  return asks !== undefined && lettersThatAsk[asks].isToTheSilent === true
}
