import type { Product } from '../shared/product.ts'
import { fill } from '../shared/sentence-slots.ts'
import { type Catalogue, catalogueOf } from '../words/catalogue.ts'

interface LetterFacts {
  /** Where the address was left, such as `example.com`. */
  readonly site: string
  readonly askedAt: Date
  readonly endsAt: Date
  readonly code: string
  /** Whether the page was open when the address was left. */
  readonly isForNews?: boolean | undefined
}

/** Every word of a confirmation letter, in the language of the product. */
export function letterWords(product: Product) {
  const catalogue = catalogueOf(product)
  const { words } = catalogue
  // To make these takes longer than all the rest of a letter.
  const { dayOf, timeOf } = clock(catalogue, product.zone)
  const { name } = product

  return ({ site, code, askedAt, endsAt, isForNews }: LetterFacts) => {
    const asked = isForNews ? words.newsLetterAsked : words.letterAsked
    const facts = {
      name,
      site,
      code: inOneRun(`${code.slice(0, 3)} ${code.slice(3)}`, catalogue),
      ...{ day: dayOf(askedAt), time: timeOf(askedAt) },
    }
    const until = { name, day: dayOf(endsAt) }
    return {
      subject: fill(words.letterSubject, { name }),
      heading: words.letterHeading,
      button: words.letterButton,
      link: words.letterLink,
      code: fill(words.letterCode, facts),
      asked: fill(asked, facts),
      otherwise: fill(words.letterOtherwise, until),
      sender: fill(words.letterSender, facts),
    }
  }
}

/** In right-to-left text, the halves of a code would change places: U+2066 prevents that. */
const inOneRun = (code: string, { dir }: Catalogue) =>
  dir === 'rtl' ? `\u2066${code}\u2069` : code

/** Days and times of day in the founder's zone; UTC is named, since few live in it. */
function clock({ locale, words }: Catalogue, timeZone = 'UTC') {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone })
  const days = format({ day: 'numeric', month: 'long', year: 'numeric' })
  const times = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return {
    dayOf: (at: Date) => days.format(at),
    timeOf: (at: Date) => {
      const time = fill(words.clock, { time: times.format(at) })
      return timeZone === 'UTC' ? `${time} UTC` : time
    },
  }
}
