/**
 * Every word of the letter that asks whether its reader asked to be told. Courts take praise in it
 * for advertising that nobody agreed to, so it says who asks, what for, and how to answer.
 */
export interface LetterFacts {
  /** The product's name. */
  readonly name: string
  /** Where the address was left, such as `example.com`. */
  readonly site: string
  readonly askedAt: Date
  readonly endsAt: Date
  readonly code: string
}

export function letterWords({ name, site, askedAt, endsAt, code }: LetterFacts) {
  return {
    subject: `Please confirm your email address for ${name}`,
    heading: 'Was this you?',
    asked: `On ${dayOf(askedAt)} at ${timeOf(askedAt)} UTC this email address was left on ${site}, to be told when ${name} goes live.`,
    button: 'Confirm my address',
    /** Where there are no buttons. */
    link: 'To confirm it, or to say that it was not you, open this page:',
    code: `If the page asks for a code, it is ${code.slice(0, 3)} ${code.slice(3)}.`,
    otherwise: `You can answer until ${dayOf(endsAt)}. If you do not, nothing happens: you will not be told, and the address is erased.`,
    sender: `Sent for ${name}, because this address was left on ${site}.`,
  }
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatted = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (time: Date) => formatted.format(time)
}

const dayOf = format({ day: 'numeric', month: 'long', year: 'numeric' })
const timeOf = format({ hour: '2-digit', minute: '2-digit' })
