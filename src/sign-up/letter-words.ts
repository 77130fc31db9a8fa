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
  /** When somebody signed up who was on the list before anybody was asked. */
  readonly listedAt?: Date | undefined
}

export function letterWords(facts: LetterFacts) {
  const { name, code } = facts
  return {
    subject: `Please confirm your email address for ${name}`,
    heading: 'Was this you?',
    button: 'Confirm my address',
    /** Where there are no buttons. */
    link: 'To confirm it, or to say that it was not you, open this page:',
    code: `If the page asks for a code, it is ${code.slice(0, 3)} ${code.slice(3)}.`,
    ...(facts.listedAt ? toTheListed(facts, facts.listedAt) : toTheNew(facts)),
  }
}

function toTheNew({ name, site, askedAt, endsAt }: LetterFacts) {
  return {
    asked: `On ${dayOf(askedAt)} at ${timeOf(askedAt)} UTC this email address was left on ${site}, to be told when ${name} goes live.`,
    otherwise: `You can answer until ${dayOf(endsAt)}. If you do not, nothing happens: you will not be told, and the address is erased.`,
    sender: `Sent for ${name}, because this address was left on ${site}.`,
  }
}

/** It may have come with a file from elsewhere: where it was left is not known. */
function toTheListed({ name, site, endsAt }: LetterFacts, listedAt: Date) {
  return {
    asked: `This email address is on the list of ${name} (${site}), to be told when ${name} goes live. By that list it signed up on ${dayOf(listedAt)}.`,
    otherwise: `You can answer until ${dayOf(endsAt)}. If you do not, nothing changes: the address stays on the list. If you say that it was not you, you will not be told, and the address is erased.`,
    sender: `Sent for ${name}, because this address is on its list.`,
  }
}

/** What the receipt has where no form was shown: the question itself. */
export function listedQuestion(name: string): string {
  return `Was this you? To be told when ${name} goes live.`
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatted = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (time: Date) => formatted.format(time)
}

const dayOf = format({ day: 'numeric', month: 'long', year: 'numeric' })
const timeOf = format({ hour: '2-digit', minute: '2-digit' })
