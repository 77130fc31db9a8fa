import table from './sentences.json' with { type: 'json' }

/** Of the 404 page, and of the pages behind links of letters that have one button. */
export const plainPageSentences = table.plainPages

/** Of the page behind the link of a confirmation letter. */
export const confirmPageSentences = table.confirmPage

/** Of the page that asks a question after a sign-up or by a letter, where there is one. */
export const answerPageSentences = table.answerPage

/**
 * Every sentence that a visitor or a subscriber meets: its name, and the number of characters that fit
 * in its place.
 */
export const sentences = {
  ...table.page,
  ...table.openPage,
  ...table.countdown,
  ...plainPageSentences,
  ...confirmPageSentences,
  ...answerPageSentences,
  ...table.letterThatAsks,
  ...table.letterForReply,
  ...table.footOfLetters,
}

/** The sentences of one language. Some have slots, such as `{name}` for the product's name. */
export type Words = Readonly<Record<keyof typeof sentences, string>>
