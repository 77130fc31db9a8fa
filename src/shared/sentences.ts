/** Each sentence has a name, and the number of characters that fit in its place. */
const page = {
  title: 90,
  heading: 30,
  invitation: 90,
  label: 40,
  submit: 24,
  submitting: 24,
  didYouMean: 60,
  comment: 60,
  needsScript: 120,
  subscribed: 90,
  letterSent: 120,
  passOn: 30,
  byEmail: 24,
  copyLink: 24,
  linkCopied: 24,
  personalLink: 160,
  invalidEmail: 90,
  databaseUnavailable: 120,
  failed: 120,
  // Once it is open
  openTitle: 90,
  openDescription: 240,
  openHeading: 30,
  openButton: 60,
  openInvitation: 90,
  // The countdown
  opens: 40,
  soon: 40,
  days: 6,
  hours: 6,
  minutes: 6,
  seconds: 6,
}

/** Of the 404 page, and of the pages behind links of letters that have one button. */
export const plainPageSentences = {
  notFoundHeading: 40,
  notFound: 200,
  wayHome: 40,
  unsubscribeHeading: 40,
  unsubscribeAsk: 200,
  unsubscribeButton: 30,
  unsubscribedHeading: 40,
  unsubscribed: 200,
  brokenHeading: 40,
  broken: 200,
  unavailableHeading: 40,
  unsubscribeUnavailable: 200,
  // The yes is also the button of the letter. Our own have no letter that no other sentence has, which
  // would be one more in the typeface of every page.
  stillHeading: 40,
  stillAsk: 200,
  stillYes: 40,
  stillNoted: 200,
  stillBroken: 200,
}

/** Of the page behind the link of a confirmation letter. */
export const confirmPageSentences = {
  confirmHeading: 40,
  confirmAsk: 200,
  newsConfirmAsk: 200,
  yes: 30,
  no: 30,
  codeHeading: 40,
  codeAsk: 240,
  codeLabel: 40,
  codeButton: 24,
  wrongCodeHeading: 40,
  wrongCode: 240,
  confirmedHeading: 40,
  confirmed: 200,
  newsConfirmed: 200,
  notMeHeading: 40,
  notMe: 200,
  wasMe: 30,
  endedHeading: 40,
  ended: 240,
  confirmUnavailable: 200,
}

/** Of the page that asks a question after a sign-up or by a letter, where there is one. */
export const answerPageSentences = {
  onListHeading: 40,
  questionHeading: 40,
  questionAsked: 200,
  answerButton: 24,
  wrongAnswer: 90,
  answeredHeading: 40,
  answered: 200,
  answerEnded: 200,
}

const letters = {
  // The letter that asks; the four of `listed` are for subscribers from before.
  letterSubject: 120,
  letterHeading: 40,
  letterAsked: 320,
  newsLetterAsked: 320,
  letterLink: 160,
  letterButton: 40,
  letterCode: 120,
  letterOtherwise: 320,
  letterSender: 200,
  listedQuestion: 160,
  listedAsked: 320,
  listedOtherwise: 320,
  listedSender: 200,
  clock: 20,
  // The button of the letter that has the question
  toAnswer: 40,
  // The foot of every other letter
  reason: 160,
  unsubscribe: 30,
  unsubscribeAt: 40,
}

/** Every sentence that a visitor or a subscriber meets. */
export const sentences = {
  ...page,
  ...plainPageSentences,
  ...confirmPageSentences,
  ...answerPageSentences,
  ...letters,
}

/** The sentences of one language. Some have slots, such as `{name}` for the product's name. */
export type Words = Readonly<Record<keyof typeof sentences, string>>
