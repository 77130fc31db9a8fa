import type { Words } from '../shared/sentences.ts'

/** English: on the page, word for word what the specification says. */
export const en = {
  title: '{name} — Coming Soon',
  heading: 'Coming Soon',
  offer: 'Be the first to know when we go live',
  label: 'Email address',
  submit: 'Notify Me',
  submitting: 'Submitting...',
  didYouMean: 'Did you mean {domain}?',
  // Of a field for robots. A browser that shows it has no style.
  comment: 'Leave this empty',
  // On a static host, where no server takes the form.
  needsScript: 'Signing up needs JavaScript. Please turn it on and load this page again.',
  subscribed: "Thank you! We'll be in touch.",
  // Under the thank-you, with CONFIRM=on.
  letterSent: 'Please confirm in the email we just sent.',
  // Under the thank-you, where the page is to be passed on.
  passOn: 'Pass it on',
  byEmail: 'Email',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  // On the confirmed page, with REFERRALS=on.
  personalLink: 'This link is yours alone. It counts the friends who come by it and confirm.',
  invalidEmail: 'Please enter a valid email address.',
  databaseUnavailable: 'Database not connected. Please try again later.',
  failed: 'Could not subscribe at this time. Please try again later.',

  openTitle: '{name} — Open now',
  openDescription: '{name} is open. {pitch}',
  openHeading: 'Open now',
  openButton: 'Open {name}',
  openOffer: 'Get news by email',

  opens: 'Opens {time}',
  // When the time has come, and the page has not turned yet.
  soon: 'Any moment now',
  days: 'd',
  hours: 'h',
  minutes: 'm',
  seconds: 's',

  notFoundHeading: 'Nothing here',
  notFound: "There's no page at this address. Maybe a letter is wrong or missing.",
  wayHome: 'Go to our page',

  unsubscribeHeading: 'Unsubscribe',
  unsubscribeAsk: "Press the button and we won't write to you again.",
  unsubscribeButton: 'Unsubscribe',
  unsubscribedHeading: 'Unsubscribed',
  unsubscribed:
    "We won't write to you again. If you change your mind, you can sign up again on our page.",
  brokenHeading: 'This link is incomplete',
  broken:
    "Part of it is missing, so we couldn't unsubscribe you. Please open the link in our email again, or copy all of it.",
  unavailableHeading: 'Please try again',
  unsubscribeUnavailable: "We couldn't save that just now. It should work in a few minutes.",

  // The page behind the button of a letter that asks who is still interested.
  stillHeading: 'Still interested?',
  stillAsk: "Press the button and we'll keep you posted.",
  stillYes: 'Yes, keep me posted',
  stillNoted: "Good to know. We'll keep you posted.",
  stillBroken:
    "Part of it is missing, so we couldn't save your answer. Please open the link in our email again, or copy all of it.",

  confirmHeading: 'Was this you?',
  confirmAsk: 'Someone signed up with your email address, to hear when we go live.',
  // Of an address that was left once the page was open.
  newsConfirmAsk: 'Someone signed up with your email address, to get our news.',
  yes: 'Yes, tell me',
  no: 'This was not me',
  codeHeading: 'One more thing',
  codeAsk:
    'Both buttons were pressed, as mail scanners do. Please type the six digits from our email.',
  codeLabel: 'Code from the email',
  codeButton: 'Confirm',
  wrongCodeHeading: 'Wrong code',
  wrongCode:
    "Those aren't the six digits from our email. After five mistakes, no code works until we send you another email.",
  confirmedHeading: 'Confirmed',
  confirmed: "Thank you. We'll tell you when we go live.",
  newsConfirmed: "Thank you. We'll send you our news by email.",
  notMeHeading: 'Thank you',
  notMe: "We won't write to you again, and the address is erased within 14 days.",
  wasMe: 'Yes, it was me',
  endedHeading: 'This link has expired',
  ended:
    'Either its 14 days are over, or part of it is missing. You can sign up again on our page.',
  confirmUnavailable:
    "We couldn't save that just now. Please open the link in our email again in a few minutes.",

  onListHeading: "You're on the list",
  // Behind the button of a letter that has the question.
  replyHeading: 'One question',
  replyAsked: "Your answer helps us. It's up to you.",
  answerButton: 'Send',
  wrongAnswer: "That doesn't answer the question. Please try again.",
  answeredHeading: 'Thank you',
  answered: 'Your answer is saved.',
  answerEnded: "It's too late to answer here. You're still on the list.",

  // Courts take praise in this letter for advertising that nobody agreed to, so it says who asks,
  // what for, and how to answer.
  letterSubject: 'Please confirm your email address for {name}',
  letterHeading: 'Was this you?',
  letterAsked:
    'On {day} at {time} this email address was left on {site}, to be told when {name} goes live.',
  newsLetterAsked: 'On {day} at {time} this email address was left on {site}, for news of {name}.',
  // Where there are no buttons, before the link.
  letterLink: 'To confirm it, or to say that it was not you, open this page:',
  letterButton: 'Confirm my address',
  letterCode: 'If the page asks for a code, it is {code}.',
  letterOtherwise:
    'You can answer until {day}. If you do not, nothing happens: you will not be told, and the address is erased.',
  letterSender: 'Sent for {name}, because this address was left on {site}.',
  // A time of day in a sentence.
  clock: '{time}',

  // The button of a letter that has the question.
  toAnswer: 'Answer',
  reason: 'You asked to be told when {name} goes live.',
  unsubscribe: 'Unsubscribe',
  // In plain text.
  unsubscribeAt: 'Unsubscribe: {link}',
} satisfies Words
