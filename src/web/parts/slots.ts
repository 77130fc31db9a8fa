import type { Catalogue } from '../../words/catalogue.ts'
import type { PageLanguage, PageWords } from '../../words/page-words.ts'

/** What the slot after the thanks gives to what is drawn there. */
export interface AfterThanks {
  readonly words: PageWords
  /** Of the language, such as `/de`. */
  readonly path: string
}

/** The same of the slot after the yes, on a page for who confirmed. */
export interface AfterYes extends Pick<Catalogue, 'words'> {
  readonly language: PageLanguage
  /** Whether they have replied just now. */
  readonly hasReplied?: boolean
}
