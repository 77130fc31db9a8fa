import type { PrivacyFacts } from './facts.ts'

interface Part {
  readonly title: string
  /** Its paragraphs, by what is true here. */
  readonly text: (facts: PrivacyFacts) => readonly string[]
}

/** The text in a language. Each has every part, in this order. */
export interface PrivacyWords {
  readonly title: (facts: PrivacyFacts) => string
  readonly draft: string
  readonly responsible: Part
  readonly address: Part
  readonly cookie: Part
  readonly robots: Part
  readonly visits: Part
  readonly others: Part
  readonly kept: Part
  readonly rights: Part
}
