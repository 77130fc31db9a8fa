import type { Options } from './command.ts'
import type { Product } from './product.ts'
import type { Data } from './report.ts'
import type { Words } from './sentences.ts'
import type { ProductSetting, Setting } from './setting.ts'

/**
 * Fields of an address that this version does not know, kept unchanged. They survive import,
 * export, backup and restore, and are erased when the address is forgotten.
 */
export type Extra = Readonly<Record<string, unknown>>

/** A field that this version knows among the `Extra` of an address. */
export interface Field<T> {
  /** Anybody may have written it. @returns nothing where there is none that can be read. */
  read(extra: Extra | undefined): T | undefined
  /** The words before it, in lower case; left out where more than a line is said of it. */
  readonly term?: string
  /** When it happened, of what is neither a text nor a time itself. */
  time?(value: T): Date
  /** Reads it from a column of its name, which the export of everything has too. */
  fromCell?(text: string): T | undefined
  /** Of two that are known; by default it is the first one. */
  better?(known: Extra, heard: Extra | undefined): T | undefined
  /** The address id of somebody else whom it names: it is erased with that one. */
  named?(value: T): string
  /** What is kept of the request of somebody who confirms, and was not on the list. */
  ofRequest?(request: RequestSaid, confirmedAt: Date): unknown
  /** Under which those who have one are found. */
  readonly tag?: string
  /** By what those who became users are compared. */
  readonly groups?: Groups<T>
}

/** What a request to confirm says of how it came. */
export interface RequestSaid {
  readonly referredBy?: string | undefined
  readonly suspicion?: string | undefined
  readonly isContested?: true | undefined
}

export interface Groups<T> {
  /** In JSON. */
  readonly name: string
  readonly title: string
  /** Said of those who have no such field. */
  readonly without: string
  /** @returns the name of a group. */
  of(value: T): string
  /** Whether these names come from outside. */
  readonly isForeign?: boolean
}

/** What reads settings, as `config/read.ts` has it. */
export interface SettingReader {
  get(name: string): unknown
  isSet(name: string): boolean
}

/** A letter with a button under its text, which leads to a page that asks. */
export interface LetterThatAsks {
  /** The names of such announcements begin with it, and say so for ever; so does the token of a button. */
  readonly name: string
  /** Its option of `announce`, and what that is called once it is read. */
  readonly option: string
  readonly given: string
  /** What that does, in the help of `announce`. */
  readonly note: string
  /** The page of the button, and the words on it. */
  readonly path: string
  readonly button: keyof Words
  /** Whether it asks those alone who have heard nothing for long; who does not answer gets later letters last. */
  readonly isToTheSilent?: true
  /** What is asked in the product's own words, above the button. */
  readonly textOf?: (product: Product) => string | undefined
  /** Said where it has none. */
  readonly without?: string
}

/**
 * What a feature says of people and of settings, as pure functions. Each feature has a folder in
 * `src/features`, and a line in `rules.ts` there.
 */
export interface FeatureRules {
  /** As its folder is called. */
  readonly name: string
  readonly settings?: Readonly<Record<string, Setting>>
  /** How each of them is read; `undefined` for what it must not be. */
  readonly parsers?: Readonly<Record<string, (text: string, root: string) => unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: a list of fields of all types
  readonly fields?: Readonly<Record<string, Field<any>>>
  /** Its part of `product.config.ts`, which is called as it is. */
  readonly productSetting?: ProductSetting
  /** Its style sheets on the page of a product, from `src`. They are for what stands under the thanks. */
  styles?(product: Product): readonly string[]
  /** Why some get no letter by an announcement, each in words. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** What a letter asks for it, by a button under its text. */
  readonly letter?: LetterThatAsks
  /** Its options of `announce`. */
  readonly announceOptions?: Options
  /** Which of `leftOut` somebody is left out for, where these options ask for it. */
  leavesOut?(options: Data): ((extra: Extra | undefined) => string | undefined) | undefined
  /** Whether the operator turned it on; left out for what always is. */
  isOn?(reader: SettingReader, product: Product): boolean
  /** Why it cannot be on, in a sentence. @param isHosted whether the page is on a static host. */
  wrong?(reader: SettingReader, isHosted: boolean): string | undefined
  /** That who confirmed passes a link of it on: the names of the sentences with it. */
  readonly passesOn?: readonly string[]
  /** What it names in the query of a link that leads to the page. */
  readonly parameter?: { readonly name: string; isOne(value: string): boolean }
}
