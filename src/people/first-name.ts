import none from './no-first-names.json' with { type: 'json' }

/** Enough for every first name, in characters; what is longer is a text, and no name. */
const LONGEST = 60

/**
 * What would make a link or markup of a name: a mail program shows `evil.example` as a link. The full
 * stops of other scripts look like a dot, or are one in IDNA. Also the signs around a field's name in a
 * letter of another tool, such as `%%FNAME%%`, and a question mark, which stands for a lost letter.
 */
const NOT_IN_A_NAME =
  /[@/\\:<>{}[\]()|`=%$#~^_*?]|&#?\w+;|(?:^www|\S(?=.\p{L}[\p{L}\p{M}]))[.\u3002\u06d4\u0701\u0702\ua4f8]/iu

/** Of UTF-8 that was read as Windows-1252, such as `JÃ¼rgen`. */
const READ_WRONGLY = /[ÂÃ][\u0080-\u00bf]/

/** Words that other tools and forms write where there is no name, as `plain` gives them. */
const noNames = new Set(Object.values(none.words).flatMap((words) => words.split(' ')))
/** Such words that are also somebody's name, as Nan is. */
const noNamesAsWritten = new Set(none['as written'].split(' '))

/** Without digits, as in `test1`. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{M}]/gu, '')

/** Marks that turn the direction of the text after them; those that join letters stay. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * A first name, in one line. Names come from other tools' forms, so they are text from strangers.
 *
 * @returns nothing for a text that is no name, such as one with a link in it.
 */
export function firstNameFrom(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 20 * LONGEST || text.includes('\ufffd'))
    return undefined
  const name = text
    .toWellFormed()
    .replace(TURNS, '')
    .replace(/[\p{Cc}\p{Z}\p{Cn}\p{Co}\ufffd]+/gu, ' ')
    .normalize('NFC')
    .trim()
  // As a program sees it that makes links: full-width letters and dots are the usual ones.
  const seen = name.normalize('NFKC').replace(/\p{DI}/gu, '')
  const isName =
    /\p{L}/u.test(seen) &&
    !NOT_IN_A_NAME.test(seen) &&
    !READ_WRONGLY.test(name) &&
    !noNames.has(plain(seen)) &&
    !seen.split(' ').every((word) => noNames.has(plain(word))) &&
    !noNamesAsWritten.has(seen)
  return isName && [...name].length <= LONGEST ? name : undefined
}

/**
 * The first name of an address, kept among its `Extra` as its language is. Only a file brings one:
 * the page never asks for it.
 */
export function firstNameIn(
  extra: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  return firstNameFrom(extra?.firstName)
}
