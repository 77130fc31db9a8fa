import type german from './german.json'
import { fill } from './sentence-slots.ts'

/**
 * What the operator is told, in English: there is a German sentence for each. TypeScript, where it checks
 * only what has changed, sees a new one no sooner than the file that says it changes, or its cache is gone.
 */
export type Sentence = keyof typeof german

let language = 'en'
let sentences: Readonly<Record<string, string>> = {}

/** From now on this process, or this page, says its sentences in another language. */
export function speak(code: string, translations: Readonly<Record<string, string>>): void {
  language = code
  sentences = translations
}

/** As BCP 47 has it. */
export const spokenLanguage = () => language

/** A sentence in the language that is spoken, with values in its slots. */
export const say = (english: Sentence, values: Readonly<Record<string, string | number>> = {}) =>
  fill(translated(english), values)

/** The same of a text that may be none of ours, such as a name from outside: that stays. */
export const translated = (text: string): string =>
  Object.hasOwn(sentences, text) ? (sentences[text] as string) : text
