import type { Outcome } from '../shared/outcome.ts'
import type { UnsubscribeStep } from '../site/site.ts'

/**
 * Every sentence and label of the pages but the product's own; the wording is the specification's.
 */
export const messages = {
  heading: 'Coming Soon',
  invitation: 'Be the first to know when we go live',
  label: 'Email address',
  submit: 'Notify Me',
  submitting: 'Submitting...',
  /** Before the domain of a provider and a question mark. */
  didYouMean: 'Did you mean',
  /** Of a field for robots. A browser that shows it has no style. */
  comment: 'Leave this empty',
  /** On a static host, where no server takes the form. */
  needsScript: 'Signing up needs JavaScript. Please turn it on and load this page again.',
} as const

/** The page once it is open. */
export const openMessages = {
  heading: 'Open now',
  /** Before the product's name. */
  button: 'Open',
  invitation: 'Leave your address for news',
} as const

/** The countdown, where there is one. */
export const countdownMessages = {
  /** Before a date. */
  opens: 'Opens',
  /** When the time has come, and the page has not turned yet. */
  soon: 'Any moment now',
} as const

/** The specification's error catalogue. */
export const outcomeMessages: Readonly<Record<Outcome, string>> = {
  subscribed: "Thank you! We'll be in touch.",
  'invalid-email': 'Please enter a valid email address.',
  'database-unavailable': 'Database not connected. Please try again later.',
  /** Also for a 429 (rate limit) and every other refusal. */
  failed: 'Could not subscribe at this time. Please try again later.',
}

/** The page behind an unsubscribe link. */
export const unsubscribeMessages: Readonly<
  Record<UnsubscribeStep, { heading: string; text: string; button?: string }>
> = {
  ask: {
    heading: 'Unsubscribe',
    text: 'Press the button, and we will not write to you again.',
    button: 'Unsubscribe',
  },
  done: {
    heading: 'Unsubscribed',
    text: 'We will not write to you again. If you change your mind, leave your address on our page.',
  },
  broken: {
    heading: 'This link is not whole',
    text: 'A part of it is missing, so nobody was unsubscribed. Please open the link in our letter again, or copy all of it.',
  },
  unavailable: {
    heading: 'Not yet',
    text: 'We could not note that just now. Please try again in a few minutes.',
    button: 'Unsubscribe',
  },
}

/** The 404 page. */
export const notFoundMessages = {
  heading: 'Nothing here',
  text: 'There is no page at this address. Perhaps a letter of it is wrong, or missing.',
  wayHome: 'Go to our page',
} as const
