import type { ConfirmPageStep } from '../site/site.ts'

/** Under the thank-you, where whoever signs up has to confirm it. */
export const letterMessage = 'A letter with a button is on its way to you.'

interface ConfirmMessages {
  readonly heading: string
  readonly text: string
  /** The buttons, by the answer that each sends. */
  readonly answers?: Readonly<Partial<Record<'yes' | 'no', string>>>
  /** The label of the field for the code, and its button. */
  readonly code?: { readonly label: string; readonly button: string }
  /** The words of a link to the first page. */
  readonly wayHome?: string
}

const code = { label: 'Code from the letter', button: 'Confirm' }

/** The page behind the link of a confirmation letter. */
export const confirmMessages: Readonly<Record<ConfirmPageStep, ConfirmMessages>> = {
  ask: {
    heading: 'Was this you?',
    text: 'Your email address was left with us, to be told when we go live.',
    answers: { yes: 'Yes, tell me', no: 'This was not me' },
  },
  code: {
    heading: 'One more thing',
    text: 'Both buttons were pressed, as programs that check mail do. The six digits are in our letter.',
    code,
  },
  wrong: {
    heading: 'Not that code',
    text: 'These are not the six digits in our letter. After five mistakes no code counts until we send another letter.',
    code,
  },
  done: {
    heading: 'Confirmed',
    text: 'Thank you. You will be told when we go live.',
  },
  'not-me': {
    heading: 'Thank you',
    text: 'You will not be told, and the address is erased within 14 days.',
    answers: { yes: 'It was me' },
  },
  ended: {
    heading: 'This link has ended',
    text: 'It held for 14 days, or a part of it is missing. If you want to be told, leave your address on our page.',
    wayHome: 'Go to our page',
  },
  unavailable: {
    heading: 'Not yet',
    text: 'We could not note that just now. Please open the link in our letter again in a few minutes.',
  },
}
