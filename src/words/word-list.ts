import { outcomes } from '../shared/outcome.ts'
import type { PageWords } from './page-words.ts'

/**
 * The order of the words that the script may say, in a page that holds no names for them: only the script
 * does.
 */
const order = [
  ...(['pitch', 'heading', 'offer', 'label', 'placeholder'] as const),
  ...(['comment', 'submit', 'submitting', 'didYouMean', 'outcomes'] as const),
  ...(['openTitle', 'openHeading', 'openButton', 'openOffer'] as const),
  ...(['countdown', 'needsScript', 'letterSent'] as const),
  // Known when the page is built: with one language, its script has no byte of several.
  ...(import.meta.env.VITE_LANGUAGES === 'on' ? (['language'] as const) : []),
  ...(import.meta.env.VITE_SHARE ? (['name', 'share'] as const) : []),
  ...(import.meta.env.VITE_QUESTION ? (['ask'] as const) : []),
]
/** Likewise of the parts that have several words. */
const parts = { outcomes, countdown: ['opens', 'soon', 'units', 'locale'] } as const

type Named = Readonly<Record<string, unknown>>

/** The words as they stand in a page, as JSON. */
export function toWordList(words: PageWords): string {
  const list = order.map((name) => {
    const value = words[name]
    const isPart = (name === 'outcomes' || name === 'countdown') && value
    return isPart ? parts[name].map((part) => (value as Named)[part]) : value
  })
  while (list.at(-1) === undefined) list.pop()
  return JSON.stringify(list)
}

/** @param json of a page of this build. */
export function fromWordList(json: string): PageWords {
  const list: readonly unknown[] = JSON.parse(json)
  const named = (names: readonly string[], values: readonly unknown[]) =>
    Object.fromEntries(names.map((name, i) => [name, values[i] ?? undefined]))
  const words = named(order, list)
  for (const [part, names] of Object.entries(parts))
    if (words[part]) words[part] = named(names, words[part] as unknown[])
  return words as unknown as PageWords
}
