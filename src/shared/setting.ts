/** What is said of a setting: a row of `settings.json`, from which docs/settings.md is made. */
export interface Setting {
  /** The heading that it stands beneath in the document. */
  readonly section: string
  /**
   * Whether its value is not repeated in a message: keys, addresses, URLs that hold a secret, and what
   * may hold a secret key by mistake.
   */
  readonly secret?: boolean
  /** Its value where it is not set, or empty: many compose files mean "not set" by that. */
  readonly default?: string
  /** What is taken instead where that is no value, in Markdown. */
  readonly otherwise?: string
  /** What it must be, for the sentence about a wrong one. */
  readonly rule: string
  /** A right one, which the sentence has too; of a key, the command that makes it. */
  readonly example: string
  /** What it does, in Markdown. */
  readonly what: string
}

/** A part of `product.config.ts`. Checks what came from outside the type system: each mistake is a sentence without the name of the setting. */
export interface ProductSetting {
  findMistakes(value: unknown): string[]
  /** Of one that each language has in its own words. */
  findTranslatedMistakes?(first: unknown, here: unknown): string[]
}
