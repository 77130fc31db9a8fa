import type { Extra } from './extra.ts'

/** Enough for every first name, in characters; what is longer is a text, and no name. */
const LONGEST = 60

/** What would make a link or markup of a name: a mail program shows `evil.example` as a link. */
const NOT_IN_A_NAME = /[@/\\:<>{}[\]()|`=]|\p{L}\.\p{L}{2,}|^www\./u

/** Marks that turn the direction of the text after them; those that join letters stay. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * A first name, in one line. Names come from other tools' forms, so they are text from strangers.
 *
 * @returns nothing for a text that is no name, such as one with a link in it.
 */
export function firstNameFrom(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 20 * LONGEST) return undefined
  const name = text
    .toWellFormed()
    .replace(TURNS, '')
    .replace(/[\p{Cc}\p{Z}\p{Cn}\p{Co}\ufffd]+/gu, ' ')
    .normalize('NFC')
    .trim()
  const isName = /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(name) && !NOT_IN_A_NAME.test(name)
  return isName && [...name].length <= LONGEST ? name : undefined
}

/**
 * The first name of an address, kept among its `Extra` as its language is. Only a file brings one:
 * the page never asks for it.
 */
export function firstNameIn(extra: Extra | undefined): string | undefined {
  return firstNameFrom(extra?.firstName)
}
