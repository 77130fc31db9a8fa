import type { Words } from '../shared/sentences.ts'

/** English: on the page, word for word what the specification says. */
export const en = {
  title: '{name} — Coming Soon',
  heading: 'Coming Soon',
  invitation: 'Be the first to know when we go live',
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
  letterSent: 'An email with a button is on its way to you.',
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
  openInvitation: 'Leave your address for news',

  opens: 'Opens {time}',
  // When the time has come, and the page has not turned yet.
  soon: 'Any moment now',
  days: 'd',
  hours: 'h',
  minutes: 'm',
  seconds: 's',

  notFoundHeading: 'Nothing here',
  notFound: 'There is no page at this address. Perhaps a character of it is wrong, or missing.',
  wayHome: 'Go to our page',

  unsubscribeHeading: 'Unsubscribe',
  unsubscribeAsk: 'Press the button, and we will not write to you again.',
  unsubscribeButton: 'Unsubscribe',
  unsubscribedHeading: 'Unsubscribed',
  unsubscribed:
    'We will not write to you again. If you change your mind, leave your address on our page.',
  brokenHeading: 'This link is not whole',
  broken:
    'A part of it is missing, so nobody was unsubscribed. Please open the link in our email again, or copy all of it.',
  unavailableHeading: 'Not yet',
  unsubscribeUnavailable: 'We could not note that just now. Please try again in a few minutes.',

  // The page behind the button of a letter that asks who is still interested.
  stillHeading: 'Still interested?',
  stillAsk: 'Press the button, and we know that you still want to hear from us.',
  stillYes: 'I am still interested',
  stillNoted: 'We have noted that you still want to hear from us.',
  stillBroken:
    'A part of it is missing, so nothing was noted. Please open the link in our email again, or copy all of it.',

  confirmHeading: 'Was this you?',
  confirmAsk: 'Your email address was left with us, to be told when we go live.',
  // Of an address that was left once the page was open.
  newsConfirmAsk: 'Your email address was left with us, for news.',
  yes: 'Yes, tell me',
  no: 'This was not me',
  codeHeading: 'One more thing',
  codeAsk:
    'Both buttons were pressed, as programs that check mail do. The six digits are in our email.',
  codeLabel: 'Code from the email',
  codeButton: 'Confirm',
  wrongCodeHeading: 'Not that code',
  wrongCode:
    'These are not the six digits in our email. After five mistakes no code counts until we send another one.',
  confirmedHeading: 'Confirmed',
  confirmed: 'Thank you. You will be told when we go live.',
  newsConfirmed: 'Thank you. Our news will reach you by email.',
  notMeHeading: 'Thank you',
  notMe: 'You will not be told, and the address is erased within 14 days.',
  wasMe: 'It was me',
  endedHeading: 'This link has ended',
  ended:
    'It was valid for 14 days, or a part of it is missing. If you want to be told, leave your address on our page.',
  confirmUnavailable:
    'We could not note that just now. Please open the link in our email again in a few minutes.',

  onListHeading: 'You are on the list',
  // Behind the button of a letter that has the question.
  questionHeading: 'One question',
  questionAsked: 'Your answer helps us, and is up to you.',
  answerButton: 'Send',
  wrongAnswer: 'That is no answer to it. Please try again.',
  answeredHeading: 'Thank you',
  answered: 'Your answer is saved.',
  answerEnded: 'Too much time has passed to answer here. Your address is still on the list.',

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
  listedQuestion: 'Was this you? To be told when {name} goes live.',
  // It may have come with a file from elsewhere: where it was left is not known.
  listedAsked:
    'This email address is on the list of {name} ({site}), to be told when {name} goes live. According to that list, it signed up on {day}.',
  listedOtherwise:
    'You can answer until {day}. If you do not, nothing changes: the address stays on the list. If you say that it was not you, you will not be told, and the address is erased.',
  listedSender: 'Sent for {name}, because this address is on its list.',
  // A time of day in a sentence.
  clock: '{time}',

  // The button of a letter that has the question.
  toAnswer: 'Answer',
  reason: 'You asked to be told when {name} goes live.',
  unsubscribe: 'Unsubscribe',
  // In plain text.
  unsubscribeAt: 'Unsubscribe: {link}',
} satisfies Words
