import type { ReactNode } from 'react'
import type { Catalogue } from '../../words/catalogue.ts'
import type { PageLanguage, PageWords } from '../../words/page-words.ts'

/** What the slot after the thanks gives to what is drawn there. */
export interface AfterThanks {
  readonly words: PageWords
  /** Of the language, such as `/de`. */
  readonly path: string
}

/** What a page of its own is drawn in. */
export interface InLanguage extends Pick<Catalogue, 'words'> {
  readonly language: PageLanguage
}

/** What a page behind a link says at one of its steps. */
export interface LinkStep {
  readonly heading: string
  readonly text: string
  /** Whether it is the yes that somebody came for. */
  readonly isYes?: boolean
  /** A form under the text; by default the way home is there. */
  readonly children?: ReactNode
}

/** Such a page, by its steps. */
export type LinkPage = (given: InLanguage) => Readonly<Record<string, LinkStep>>

/** What the slot after the yes gives, on a page for who confirmed. */
export interface AfterYes extends InLanguage {
  /** Whether they have replied just now. */
  readonly hasReplied?: boolean
}
